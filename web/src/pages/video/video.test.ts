import { describe, expect, it } from 'vitest';
import { commandOf, nextSpeed } from './player-keys';
import { embedCode, startLink } from '@/shared/actions/share-links';
import { videoStatus } from './status';

describe('keys', () => {
  it.each([
    [' ', { do: 'toggle' }],
    ['K', { do: 'toggle' }],
    ['j', { do: 'seekBy', seconds: -10 }],
    ['l', { do: 'seekBy', seconds: 10 }],
    ['0', { do: 'seekTo', share: 0 }],
    ['9', { do: 'seekTo', share: 0.9 }],
    ['>', { do: 'speed', step: 1 }],
    ['x', null],
    ['10', null],
  ])('%s → %j', (key, command) => {
    expect(commandOf(key)).toEqual(command);
  });
  it('steps through the speeds and stays at the ends', () => {
    expect(nextSpeed(1, 1)).toBe(1.25);
    expect(nextSpeed(1, -1)).toBe(0.75);
    expect(nextSpeed(2, 1)).toBe(2);
    expect(nextSpeed(0.5, -1)).toBe(0.5);
  });
});

describe('status', () => {
  it.each([
    [{ status_id: 5, is_private: true }, 'deleted'],
    [{ status_id: 1, is_private: true }, 'private'],
    [{ status_id: 1, is_private: false }, 'active'],
  ])('%j is %s', (video, status) => {
    expect(videoStatus(video)).toBe(status);
  });
});

describe('share', () => {
  it('starts at whole seconds, and plainly at the beginning', () => {
    expect(startLink('https://x.example/videos/1/a/', 42.7)).toBe(
      'https://x.example/videos/1/a/?start_time=42',
    );
    expect(startLink('https://x.example/videos/1/a/', 0.4)).toBe('https://x.example/videos/1/a/');
  });
  it('embeds at the size of the specification, with the title escaped', () => {
    expect(embedCode('https://x.example/embed/1/', 'A "B" <c>')).toBe(
      '<iframe src="https://x.example/embed/1/" width="426" height="265" title="A &quot;B&quot; &lt;c&gt;" allow="fullscreen; picture-in-picture" loading="lazy" style="border:0"></iframe>',
    );
  });
});
