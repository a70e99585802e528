/** Checks that the server sets the limits: the defaults here match the configuration, and no text contains a configurable limit. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { limits } from './limits';

const config = readFileSync(new URL('../../../config/default.toml', import.meta.url), 'utf8');

/** Returns a configuration key's default value as JSON. */
function setting(section: string, key: string): unknown {
  const from = config.indexOf(`\n[${section}]\n`);
  const rest = config.slice(from + 1);
  const end = rest.indexOf('\n[');
  const value = new RegExp(`^${key} = (.*)$`, 'm').exec(rest.slice(0, end < 0 ? undefined : end));
  if (from < 0 || !value?.[1]) throw new Error(`no ${section}.${key}`);
  return JSON.parse(value[1]);
}

it('defaults to the configuration’s values when the server sends none', () => {
  const told = limits();
  const bounds = (section: string, name: string) => ({
    min: setting(section, name.replace('*', 'min')),
    max: setting(section, name.replace('*', 'max')),
  });
  expect(told).toEqual({
    names: setting('listing', 'max_categories'),
    search: bounds('listing', 'search_*'),
    related: (setting('listing', 'related_counts') as number[])[0],
    comment: bounds('comments', '*_length'),
    message: { min: 1, max: setting('member_area', 'message_max') },
    playlist_title: bounds('playlists', 'title_*'),
    playlist_description: bounds('playlists', 'description_*'),
    // This limit is not configurable: the catalog enforces it.
    username: { min: 3, max: 20 },
    password_min: setting('accounts', 'password_min'),
    confirm_seconds: setting('accounts', 'confirm_seconds'),
    restore_seconds: setting('accounts', 'restore_seconds'),
    report: {
      message: setting('reports', 'max_message'),
      subject: setting('reports', 'max_subject'),
      ref: setting('reports', 'max_ref'),
      reasons: setting('reports', 'reasons'),
    },
    picture_bytes: setting('pictures', 'max_bytes'),
    // These formats are not configurable: the server can decode only these.
    picture_types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
    mutes: setting('mutes', 'per_kind'),
    watched: setting('mutes', 'watched'),
    saved_searches: setting('member_area', 'saved_searches'),
    saved_name: setting('member_area', 'saved_name_max'),
    readd_days: ['readd_days', 'readd_days_max'].map((key) => setting('member_area', key)),
    resume: ['resume_from', 'resume_until'].map((key) => setting('member_area', key)),
  });
});
