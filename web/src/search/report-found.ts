import { sendActOnLeave, type ActOf } from '@/api/act';

interface Found {
  video_id: number;
  query: string;
  lang: ActOf<'found'>['lang'];
  /** The position in the results, from 1. */
  place: number;
}

/** Reports the opened result, so that the search engine can learn from it. The next page doesn't wait for the report. */
export function reportFound({ video_id, query, lang, place }: Found): void {
  sendActOnLeave({ act: 'found', object_id: video_id, s: query, lang, position: place });
}
