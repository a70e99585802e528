import { useEffect, type RefObject } from 'react';
import { isOff } from '@/shared/keys/keys';
import { toggleTheatre } from './theatre';
import { CAPTIONS, commandOf, nextSpeed, type Command } from './player-keys';

/** Whether the focused element handles the key itself. */
function isTaken(event: KeyboardEvent): boolean {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  if (isOff(key)) return true;
  if (document.querySelector('[role="dialog"]')) return true;
  if (!(target instanceof HTMLElement)) return false;
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable) return true;
  // Arrow keys move sliders, and the space bar presses buttons and links.
  if (/^MEDIA-.*-RANGE$/.test(target.tagName)) return key.startsWith('Arrow');
  return key === ' ' && target.closest('button, a, [role="button"]') !== null;
}

export function run(command: Command, video: HTMLVideoElement, controller: HTMLElement): void {
  const length = Number.isFinite(video.duration) ? video.duration : 0;
  const seek = (to: number) => {
    video.currentTime = Math.min(length, Math.max(0, to));
  };
  switch (command.do) {
    case 'toggle':
      if (!video.paused) video.pause();
      // Autoplay is blocked until the first interaction, so the play button remains.
      else video.play().catch(() => undefined);
      break;
    case 'mute':
      video.muted = !video.muted;
      break;
    case 'fullscreen': {
      const name = document.fullscreenElement ? 'exit' : 'enter';
      controller.dispatchEvent(new CustomEvent(`media${name}fullscreenrequest`));
      break;
    }
    case 'theatre':
      toggleTheatre();
      break;
    case 'seekBy':
      seek(video.currentTime + command.seconds);
      break;
    case 'seekTo':
      seek(length * command.share);
      break;
    case 'speed':
      video.playbackRate = nextSpeed(video.playbackRate, command.step);
  }
}

/** Makes the player's shortcuts work wherever the focus is on the player's page. */
export function usePlayerKeys(
  video: RefObject<HTMLVideoElement | null>,
  controller: RefObject<HTMLElement | null>,
  isOn: boolean,
  toggleCaptions: () => void,
): void {
  useEffect(() => {
    if (!isOn) return;
    const pressed = (event: KeyboardEvent) => {
      const command = isTaken(event) ? null : commandOf(event.key);
      if (!command || !video.current || !controller.current) return;
      event.preventDefault();
      if (command === CAPTIONS) toggleCaptions();
      else run(command, video.current, controller.current);
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [video, controller, isOn, toggleCaptions]);
}
