/** Addresses of lists say the orientation of what they list, so that they show the same to everybody they are sent to. */
import type { Gender } from './audience';

/** Pages that list videos, models, albums or playlists of one orientation (as `api/src/page` has them). */
const ORIENTED =
  /^\/($|\?|(categories|models|search|top-country|albums|playlists)\/|videos\/(?!history)[a-z])/;

/** The address (a path, maybe with a query) with the orientation, where it lists one and that is not the first. */
export function withOrientation(address: string, gender: Gender): string {
  if (!ORIENTED.test(address)) return address;
  const [path = '', query = ''] = address.split('?');
  const left = query.split('&').filter((pair) => pair && !pair.startsWith('gender='));
  if (gender !== 'str') left.push(`gender=${gender}`);
  return left.length > 0 ? `${path}?${left.join('&')}` : path;
}
