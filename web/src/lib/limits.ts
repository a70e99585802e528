/** Configured limits, which are sent with each page (`site/src/limits.rs`). Limits that only one screen needs come with its call. */
import { sent } from './sent';

/** Minimum and maximum number of characters. */
export interface Bounds {
  min: number;
  max: number;
}

export interface Limits {
  /** Maximum number of categories per list, and also of models. */
  names: number;
  search: Bounds;
  /** Number of related videos per page. */
  related: number;
  comment: Bounds;
  message: Bounds;
  playlist_title: Bounds;
  playlist_description: Bounds;
  username: Bounds;
  password_min: number;
  /** Lifetime of links in mails, in seconds. */
  confirm_seconds: number;
  restore_seconds: number;
  /** Maximum number of characters in each field of a report, and the possible reasons in display order. */
  report: { message: number; subject: number; ref: number; reasons: string[] };
  /** Maximum size of a picture, in bytes. */
  picture_bytes: number;
  /** Accepted media types of pictures. */
  picture_types: string[];
  /** Maximum number of mutes of each kind, and the number of watched videos that are hidden. */
  mutes: number;
  watched: number;
  saved_searches: number;
  /** Maximum number of characters in a saved search's name. */
  saved_name: number;
  /** Days until a deleted video is restored: default and maximum. */
  readd_days: [usual: number, most: number];
  /** The position, in seconds, from which a video can be resumed, and the percentage up to which it can be. */
  resume: [from: number, until: number];
}

/**
 * Defaults from `config/default.toml` for pages that Lantern didn't send: the dev server's pages, and tests, most of which have no page.
 */
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

const devServerLimits = (): Limits =>
  ('document' in globalThis ? sent().limits : undefined) ?? defaults();

export const limits = (): Limits =>
  // Pages sent by Lantern always include limits.
  // eslint-disable-next-line @typescript-eslint/no-non-null-assertion
  import.meta.env.DEV ? devServerLimits() : sent().limits!;
