import type { FormPath } from '@/api/call';

interface Found {
  video_id: number;
  query: string;
  lang: string;
  /** The position in the results, from 1. */
  place: number;
}

/** Reports the opened result, so that the search engine can learn from it. The next page doesn't wait for the report. */
export function reportFound({ video_id, query, lang, place }: Found): void {
  const fields = { act: 'found', object_id: video_id, s: query, lang, position: place };
  navigator.sendBeacon(
    '/api/stat.php' satisfies FormPath,
    new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])),
  );
}
