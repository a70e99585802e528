import { describe, expect, it } from 'vitest';
import { textProblem } from '@/ui/form/checks';
import { friendStep } from './friend-step';
import { NOTHING } from './member-state';
import { playlistProblems } from './playlist-rules';
import { toggled } from './video-acts';
import { cameFrom, saysNothingOfCountry } from './view-beacon';
import { atLeast, counted } from './vote-count';

describe('votes', () => {
  it('are counted at once', () => {
    expect(counted({ likes: 4, dislikes: 1 }, 1)).toEqual({ likes: 5, dislikes: 1 });
    expect(counted({ likes: 4, dislikes: 1 }, -1)).toEqual({ likes: 4, dislikes: 2 });
  });
  it('that were given are in an old number', () => {
    expect(atLeast({ likes: 0, dislikes: 0 }, 1)).toEqual({ likes: 1, dislikes: 0 });
    expect(atLeast({ likes: 7, dislikes: 0 }, 1)).toEqual({ likes: 7, dislikes: 0 });
    expect(atLeast({ likes: 0, dislikes: 0 }, 0)).toEqual({ likes: 0, dislikes: 0 });
  });
});

describe('a playlist', () => {
  it.each([
    ['', 'required'],
    ['  ', 'required'],
    ['ab', 'min_length'],
    ['abc', undefined],
    ['🏮🏮🏮', undefined],
    ['x'.repeat(100), undefined],
    ['x'.repeat(101), 'max_length'],
  ])('titled %j: %s', (title, code) => {
    expect(playlistProblems({ title, desc: 'Evenings' }).title?.code).toBe(code);
  });
  it('is described in 5 to 500 characters', () => {
    const wrong = (desc: string) => playlistProblems({ title: 'abc', desc }).desc;
    expect(wrong('four')).toEqual({ code: 'min_length', bound: 5 });
    expect(wrong('fives')).toBeUndefined();
    expect(wrong('x'.repeat(501))).toEqual({ code: 'max_length', bound: 500 });
  });
  it('is sent where nothing is wrong', () => {
    expect(playlistProblems({ title: 'abc', desc: 'fives' })).toEqual({});
    expect(textProblem(' a ', { min: 1, max: 1 })).toBeNull();
  });
});

describe('a view', () => {
  it.each([
    ['https://other.example.com/', true],
    ['https://other.example.com/page', false],
    ['https://other.tube/', true],
    ['https://site.example/top-country/1/', true],
    ['', false],
  ])('from %j says nothing of a country: %s', (referrer, nogeo) => {
    expect(saysNothingOfCountry(referrer)).toBe(nogeo);
  });
  it('comes from the page before it on this site, else from the referrer', () => {
    const entries = () => [{ url: 'https://a.example/top-country/1/' }, { url: null }];
    const at = (index: number) => ({ navigation: { currentEntry: { index }, entries } });
    expect(cameFrom(at(1), 'https://b.example/')).toBe('https://a.example/top-country/1/');
    expect(cameFrom(at(0), 'https://b.example/')).toBe('https://b.example/');
    expect(cameFrom({}, 'https://b.example/')).toBe('https://b.example/');
  });
});

it('a friend is asked, taken back, accepted and let go', () => {
  expect(friendStep('none')).toMatchObject({ section: 'add', next: 'requested' });
  expect(friendStep('requested')).toMatchObject({ section: 'rem', next: 'none' });
  expect(friendStep('incoming')).toMatchObject({ section: 'accept', next: 'accepted' });
  expect(friendStep('accepted')).toMatchObject({ section: 'rem', next: 'none' });
});

it('a saved video is let go by the same click that saves it', () => {
  const say = (key: string) => key;
  const on = toggled('favourite', 7, NOTHING, say);
  expect(on.fields).toEqual({ act: 'favourite', section: 'add', object_id: 7 });
  const off = toggled('favourite', 7, { ...NOTHING, ...on.change }, say);
  expect(off).toMatchObject({ fields: { section: 'rem' }, change: { favourite: false } });
  expect(toggled('watch_later', 7, undefined, say).fields.section).toBe('add');
});
