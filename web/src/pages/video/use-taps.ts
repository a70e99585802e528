/** Handles taps and clicks on the picture itself. A single mouse click is left to media-chrome. */
import { useEffect, useState, type RefObject } from 'react';
import { LONG_STEP_S } from './player-keys';
import { DOUBLE_MS, meaningOf, sideOf, type Tap } from './taps';
import { run } from './use-player-keys';

/** How long a jump is displayed after the last tap, in ms. */
const SHOWN_MS = 700;

/** The sum of consecutive jumps in seconds, which is negative for back. */
export type Jump = number | null;

export function useTaps(
  video: RefObject<HTMLVideoElement | null>,
  controller: RefObject<HTMLElement | null>,
  isBegun: boolean,
): Jump {
  const [jump, setJump] = useState<Jump>(null);
  useEffect(() => {
    const player = controller.current;
    const film = video.current;
    if (!player || !film) return;
    let before: Tap | null = null;
    let soon: ReturnType<typeof setTimeout> | undefined;
    let shown: ReturnType<typeof setTimeout> | undefined;
    const isPicture = (event: Event) => [film, player].includes(event.composedPath()[0] as never);
    const play = () => void film.play().catch(() => undefined);
    const jumpTo = (side: number) => {
      run({ do: 'seekBy', seconds: side * LONG_STEP_S }, film, player);
      // The first tap has shown the controls.
      player.setAttribute('userinactive', '');
      setJump((last) => (Math.sign(last ?? 0) === side ? (last ?? 0) : 0) + side * LONG_STEP_S);
      clearTimeout(shown);
      shown = setTimeout(() => setJump(null), SHOWN_MS);
    };
    const tapped = (event: TouchEvent) => {
      const touch = event.changedTouches[0];
      if (!touch || event.touches.length > 0 || !isPicture(event)) return;
      // Suppresses the click, which would press the control that this tap shows.
      event.preventDefault();
      clearTimeout(soon);
      const { left, width } = player.getBoundingClientRect();
      const tap = { at: event.timeStamp, side: sideOf(touch.clientX - left, width) };
      const meaning = meaningOf(tap, before, { isBegun, paused: film.paused });
      before = tap;
      if (meaning === 'play') play();
      else if (meaning === 'playSoon') soon = setTimeout(play, DOUBLE_MS);
      else if (meaning === 'jump') jumpTo(tap.side);
    };
    const doubled = (event: Event) => {
      if (isPicture(event)) run({ do: 'fullscreen' }, film, player);
    };
    player.addEventListener('touchend', tapped);
    player.addEventListener('dblclick', doubled);
    return () => {
      player.removeEventListener('touchend', tapped);
      player.removeEventListener('dblclick', doubled);
      clearTimeout(soon);
      clearTimeout(shown);
    };
  }, [video, controller, isBegun]);
  return jump;
}
