/** What is said of a film, and how the call takes it. Pure. */
import type { Form } from '@/api/call';
import { asDetails, type Details } from '@/shared/details/details';

export interface FilmFields extends Details {
  isExclusive: boolean;
}

/** The fields as the call takes them. */
export const asForm = (fields: FilmFields): Form<'/api/video_edit.php'> => ({
  ...asDetails(fields),
  ...(fields.isExclusive && { exclusive: 1 }),
});
