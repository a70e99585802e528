// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { LANGS } from '@/lib/audience';
import { startI18n } from '.';
import { errorText, waitText } from './errors';

describe('a wait', () => {
  it.each([
    [0, '1 second'],
    [59.2, '60 seconds'],
    [99, '99 seconds'],
    [100, '2 minutes'],
    [600, '10 minutes'],
    [5999, '100 minutes'],
    [6000, '2 hours'],
  ])('of %s s is said as %s', (seconds, text) => expect(waitText(seconds, 'en')).toBe(text));
  it('is formatted in the language', () => {
    expect(waitText(600, 'ja')).toBe('10 分');
    expect(waitText(600, 'ru')).toBe('10 минут');
  });
});

describe('an error', () => {
  it('is described by its code, with its limit or wait', async () => {
    await startI18n('en');
    expect(await errorText({ code: 'min_length', bound: 3 }, 'en')).toBe(
      'At least 3 characters, please.',
    );
    const wait = { code: 'too_many_attempts', info: { retry_after: 600 } };
    expect(await errorText(wait, 'en')).toContain('10 minutes');
    expect(await errorText(wait, 'de')).toContain('10 Minuten');
  });
  it('of a rate limit names the limit that the server applied', async () => {
    await startI18n('en');
    const info = { retry_after: 40, attempts: 2, per_seconds: 1800 };
    const refused = { code: 'too_many_comments', info };
    expect(await errorText(refused, 'en')).toBe(
      'You have reached the limit for comments (2 in 30 minutes). Try again in 40 seconds.',
    );
    for (const lang of LANGS) {
      const text = await errorText(refused, lang);
      for (const part of ['2', waitText(1800, lang), waitText(40, lang)]) {
        expect(text, lang).toContain(part);
      }
      expect(text, lang).not.toMatch(/[5{}]/);
    }
  });
  it('with an unknown code is described as a server error', async () => {
    await startI18n('en');
    const other = await errorText(new Error('broken'), 'en');
    expect(other).not.toBe('');
    expect(await errorText({ code: 'no.such:code' }, 'en')).toBe(other);
  });
});
