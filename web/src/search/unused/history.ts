/** Stands in for InstantSearch's query-string router: every tree of ours brings its own. */
export default function historyRouter(): never {
  throw new Error('a listing needs its own router');
}
