/** List addresses include the orientation, so that a shared link shows everyone the same list. */
import type { Gender } from './audience';

/** Pages listing videos, models, albums or playlists of one orientation (as in `api/src/page`). */
const ORIENTED =
  /^\/($|\?|(categories|models|search|top-country|albums|playlists)\/|videos\/(?!history)[a-z])/;

/** Adds the orientation to an address (a path, maybe with a query) of a list unless it is the default. */
export function withOrientation(address: string, gender: Gender): string {
  if (!ORIENTED.test(address)) return address;
  const [path = '', query = ''] = address.split('?');
  const left = query.split('&').filter((pair) => pair && !pair.startsWith('gender='));
  if (gender !== 'str') left.push(`gender=${gender}`);
  return left.length > 0 ? `${path}?${left.join('&')}` : path;
}
