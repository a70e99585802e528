/** A video's details and how they are sent to the API. This module is pure. */
import type { Form } from '@/api/call';
import { asDetails, type Details } from '@/shared/details/details';

export interface FilmFields extends Details {
  /** A line for each, such as `1:23 Title`. */
  chapters: string;
  isExclusive: boolean;
  /** When the video is to be published (ISO 8601), or an empty text for as soon as it is approved. `null` leaves it as it is. */
  publishAt: string | null;
}

/** Encodes the fields for the API. */
export const asForm = (fields: FilmFields): Form<'/api/video_edit.php'> => ({
  ...asDetails(fields),
  chapters: fields.chapters,
  ...(fields.isExclusive && { exclusive: 1 }),
  ...(fields.publishAt !== null && { publish_at: fields.publishAt || 'now' }),
});
