/** Chapters as a text track, from which the player takes the segments and titles of its seek bar. */
import { useEffect, useRef, type RefObject } from 'react';
import type { Schema } from '@/api/call';

export type Chapter = Schema<'Chapter'>;

/** The end of the last chapter in seconds, after the end of every film. The player stops at the film's own end. */
const END = 359_999;

const two = (part: number): string => String(part).padStart(2, '0');
const stamp = (seconds: number): string =>
  `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}.000`;
const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Writes chapters as WebVTT. */
export const asTrack = (chapters: readonly Chapter[]): string =>
  chapters.reduce(
    (text, { start, title }, index) =>
      `${text}\n\n${stamp(start)} --> ${stamp(chapters[index + 1]?.start ?? END)}\n${escape(title)}`,
    'WEBVTT',
  );

/** Loads chapters into the track element that has the returned reference. */
export function useChapterTrack(chapters: readonly Chapter[]): RefObject<HTMLTrackElement | null> {
  const track = useRef<HTMLTrackElement>(null);
  const text = asTrack(chapters);
  useEffect(() => {
    const element = track.current;
    if (!element) return undefined;
    const made = URL.createObjectURL(new Blob([text], { type: 'text/vtt' }));
    element.src = made;
    return () => {
      const revoke = () => URL.revokeObjectURL(made);
      // The browser would report that it can't load a track.
      if (element.readyState === HTMLTrackElement.LOADED) revoke();
      else element.addEventListener('load', revoke, { once: true });
    };
  }, [text]);
  return track;
}
