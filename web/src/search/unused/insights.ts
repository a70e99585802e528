/** Stands in for InstantSearch's analytics: nothing is sent to anyone, so nothing is loaded. */
export function createInsightsMiddleware(): never {
  throw new Error('insights are not part of this app');
}
