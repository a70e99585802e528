// @vitest-environment happy-dom
import { useEffect, useRef } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { render } from '@/lib/render';
import { turnKeys } from '@/shared/keys/keys';
import { usePlayerKeys } from './use-player-keys';

let video: HTMLVideoElement;
let toggled = 0;
const captions = () => {
  toggled += 1;
};

function Player() {
  const film = useRef<HTMLVideoElement>(null);
  const controller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (film.current) video = film.current;
  });
  usePlayerKeys(film, controller, true, captions);
  return (
    <div ref={controller}>
      {/* Nothing is played here. */}
      {/* eslint-disable-next-line jsx-a11y/media-has-caption */}
      <video ref={film} />
    </div>
  );
}

/** Whether the key did something. */
const press = (key: string): boolean => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
  document.body.dispatchEvent(event);
  return event.defaultPrevented;
};

beforeEach(async () => {
  await render(<Player />);
});
afterEach(() => turnKeys(true));

it('ignores letters, digits and signs when turned off, but not other keys', () => {
  expect(press('m')).toBe(true);
  expect(video.muted).toBe(true);
  turnKeys(false);
  for (const key of ['m', 'K', '5', '>']) expect(press(key)).toBe(false);
  expect(video.muted).toBe(true);
  expect(press('ArrowRight')).toBe(true);
});

it('toggles captions', () => {
  const before = toggled;
  expect(press('c')).toBe(true);
  expect(toggled).toBe(before + 1);
});
