import type { FormPath } from '@/api/call';

interface Found {
  video_id: number;
  query: string;
  lang: string;
  /** Position in the results, from 1. */
  place: number;
}

/** Reports the opened result, from which search learns; the next page doesn't wait for it. */
export function reportFound({ video_id, query, lang, place }: Found): void {
  const fields = { act: 'found', object_id: video_id, s: query, lang, position: place };
  navigator.sendBeacon(
    '/api/stat.php' satisfies FormPath,
    new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])),
  );
}
