/** Keyboard shortcuts of the player. This module is pure. */
/** What a key does to the video or its frame. */
export type Command =
  | { do: 'toggle' | 'mute' | 'fullscreen' | 'theatre' }
  /** Seconds, which are negative for back. */
  | { do: 'seekBy'; seconds: number }
  /** Share of the whole duration, 0–0.9. */
  | { do: 'seekTo'; share: number }
  | { do: 'speed'; step: 1 | -1 };

/** The command to show or hide captions, which the player keeps track of. */
export const CAPTIONS = 'captions';

export const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2] as const;
export const isSpeed = (value: unknown): value is number => SPEEDS.some((speed) => speed === value);
export const LONG_STEP_S = 10;
const SHORT_STEP_S = 5;

const KEYS: Record<string, Command | typeof CAPTIONS> = {
  ' ': { do: 'toggle' },
  k: { do: 'toggle' },
  j: { do: 'seekBy', seconds: -LONG_STEP_S },
  l: { do: 'seekBy', seconds: LONG_STEP_S },
  arrowleft: { do: 'seekBy', seconds: -SHORT_STEP_S },
  arrowright: { do: 'seekBy', seconds: SHORT_STEP_S },
  m: { do: 'mute' },
  f: { do: 'fullscreen' },
  t: { do: 'theatre' },
  c: CAPTIONS,
  '<': { do: 'speed', step: -1 },
  '>': { do: 'speed', step: 1 },
};

export function commandOf(key: string): Command | typeof CAPTIONS | null {
  if (/^[0-9]$/.test(key)) return { do: 'seekTo', share: Number(key) / 10 };
  return KEYS[key.toLowerCase()] ?? null;
}

/** Returns the next speed up or down. At either end, the speed stays the same. */
export function nextSpeed(current: number, step: 1 | -1): number {
  const faster = step > 0 ? SPEEDS.find((speed) => speed > current) : undefined;
  const slower = step < 0 ? SPEEDS.findLast((speed) => speed < current) : undefined;
  return faster ?? slower ?? current;
}
