import type { AudioOption } from '@/api/types';
import type { PlayerText } from '@/i18n/player';

/** Returns the name of the audio track at an index of a video's tracks. */
export function audioName(tracks: readonly AudioOption[], index: number, say: PlayerText): string {
  const { label, kind } = tracks[index] ?? { label: '', kind: 'main' };
  const name = label || say('audioTrack', { number: index + 1 });
  return kind === 'main' ? name : `${name} (${say(`audioKind.${kind}`)})`;
}
