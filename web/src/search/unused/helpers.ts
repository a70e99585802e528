/** Stands in for InstantSearch's template helpers (string templates): our markup is React. */
export default function createHelpers(): Record<string, never> {
  return {};
}
