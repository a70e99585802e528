/** Stands in for filling Algolia's client with server-made results: the client is our own. */
export const hydrateSearchClient = (): void => undefined;
