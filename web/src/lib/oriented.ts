/** Adds the orientation to list addresses, so that a shared link shows everyone the same list. */
import type { Gender } from './audience';

/** Pages that list videos, models, albums or playlists of one orientation (same as in `site/src`). */
const ORIENTED =
  /^\/($|\?|(categories|models|search|top-country|albums|playlists)\/|videos\/(?!history)[a-z])/;

/** Adds the orientation to a list's address (a path that may have a query), unless it is the default orientation. */
export function withOrientation(address: string, gender: Gender): string {
  if (!ORIENTED.test(address)) return address;
  const [path = '', query = ''] = address.split('?');
  const left = query.split('&').filter((pair) => pair && !pair.startsWith('gender='));
  if (gender !== 'str') left.push(`gender=${gender}`);
  return left.length > 0 ? `${path}?${left.join('&')}` : path;
}
