// @vitest-environment happy-dom
import { act, useEffect, useRef } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { turnKeys } from '@/shared/keys/keys';
import { usePlayerKeys } from './use-player-keys';

let root: Root;
let video: HTMLVideoElement;

function Player() {
  const film = useRef<HTMLVideoElement>(null);
  const controller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (film.current) video = film.current;
  });
  usePlayerKeys(film, controller, true);
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

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  root = createRoot(document.body.appendChild(document.createElement('div')));
  act(() => root.render(<Player />));
});
afterEach(() => {
  turnKeys(true);
  act(() => root.unmount());
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

it('ignores letters, digits and signs when turned off, but not other keys', () => {
  expect(press('m')).toBe(true);
  expect(video.muted).toBe(true);
  turnKeys(false);
  for (const key of ['m', 'K', '5', '>']) expect(press(key)).toBe(false);
  expect(video.muted).toBe(true);
  expect(press('ArrowRight')).toBe(true);
});
