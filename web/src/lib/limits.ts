/** What the operator configured, as each page says it (`api/src/page/limits.rs`). What one screen alone needs comes with that screen's call. */
import { sent } from './sent';

/** Fewest and most characters. */
export interface Bounds {
  min: number;
  max: number;
}

export interface Limits {
  /** Categories of a list chosen at once, and models. */
  names: number;
  search: Bounds;
  /** Related videos of a page. */
  related: number;
  comment: Bounds;
  message: Bounds;
  playlist_title: Bounds;
  playlist_description: Bounds;
  username: Bounds;
  password_min: number;
  /** How long the links of mails work. */
  confirm_seconds: number;
  restore_seconds: number;
  /** Most characters of what a report holds, and the reasons in the order they are offered. */
  report: { message: number; subject: number; ref: number; reasons: string[] };
  /** The largest picture a form may hold. */
  picture_bytes: number;
  /** Media types of pictures. */
  picture_types: string[];
  /** What may be muted of each kind, and how many videos are left out as watched. */
  mutes: number;
  watched: number;
  saved_searches: number;
  /** Most characters of the name of a saved search. */
  saved_name: number;
  /** Until a deleted video comes back: usually, and at most. */
  readd_days: [usual: number, most: number];
  /** The second from which on a video is gone on with, and the per cent up to which. */
  resume: [from: number, until: number];
}

/** Those of `config/default.toml`, for pages that no Lantern sent: the dev server's, and tests, of which most have no page. */
const defaults = (): Limits => ({
  names: 3,
  search: { min: 2, max: 69 },
  related: 12,
  comment: { min: 5, max: 1500 },
  message: { min: 1, max: 1500 },
  playlist_title: { min: 3, max: 100 },
  playlist_description: { min: 5, max: 500 },
  username: { min: 3, max: 20 },
  password_min: 5,
  confirm_seconds: 259_200,
  restore_seconds: 3600,
  report: {
    message: 1500,
    subject: 200,
    ref: 500,
    reasons: [
      'illegal',
      'minor',
      'non_consensual',
      'private_data',
      'copyright',
      'violence',
      'spam',
      'insult',
      'broken',
      'other',
    ],
  },
  picture_bytes: 8_388_608,
  picture_types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
  mutes: 100,
  watched: 500,
  saved_searches: 50,
  saved_name: 100,
  readd_days: [7, 365],
  resume: [5, 95],
});

const ofDevelopment = (): Limits =>
  ('document' in globalThis ? sent().limits : undefined) ?? defaults();

export const limits = (): Limits =>
  // A Lantern's page always says them.
  // eslint-disable-next-line @typescript-eslint/no-non-null-assertion
  import.meta.env.DEV ? ofDevelopment() : sent().limits!;
