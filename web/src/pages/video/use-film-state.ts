/** Playback state that the player shows. */
import { useEffect, useState, type RefObject } from 'react';
import { readStored, writeStored } from '@/lib/storage';
import { isSpeed } from './player-keys';

const SPEED_KEY = 'lantern.speed';

/** Whether the video has ended. This is false again once it moves. */
export function useEnded(video: RefObject<HTMLVideoElement | null>): boolean {
  const [isEnded, setIsEnded] = useState(false);
  useEffect(() => {
    const element = video.current;
    const ended = () => setIsEnded(true);
    const moved = () => setIsEnded(false);
    const events = { ended, play: moved, seeking: moved };
    for (const [name, listener] of Object.entries(events))
      element?.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of Object.entries(events)) {
        element?.removeEventListener(name, listener);
      }
    };
  }, [video]);
  return isEnded;
}

/** The speed, which shortcuts can also change. It applies to the next video, too. */
export function useSpeed(video: RefObject<HTMLVideoElement | null>): number {
  const [speed, setSpeed] = useState(1);
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    // A new source resets the speed to this value.
    element.defaultPlaybackRate = readStored(SPEED_KEY, isSpeed, 1);
    element.playbackRate = element.defaultPlaybackRate;
    const changed = () => {
      setSpeed(element.playbackRate);
      element.defaultPlaybackRate = element.playbackRate;
      writeStored(SPEED_KEY, element.playbackRate);
    };
    element.addEventListener('ratechange', changed);
    return () => element.removeEventListener('ratechange', changed);
  }, [video]);
  return speed;
}
