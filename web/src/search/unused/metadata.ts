/** Stands in for InstantSearch's metadata, which only Algolia's own crawler reads. */
export const isMetadataEnabled = (): boolean => false;
export function createMetadataMiddleware(): never {
  throw new Error('metadata is not part of this app');
}
