import type { FormPath } from '@/api/call';

interface Found {
  video_id: number;
  query: string;
  lang: string;
  /** Where it stood, from 1. */
  place: number;
}

/** Tells which result was opened, by which searches learn; the page that follows doesn't wait for it. */
export function reportFound({ video_id, query, lang, place }: Found): void {
  const fields = { act: 'found', object_id: video_id, s: query, lang, position: place };
  navigator.sendBeacon(
    '/api/stat.php' satisfies FormPath,
    new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])),
  );
}
