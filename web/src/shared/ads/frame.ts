/** Chooses a slot's frame and its size. This module is pure. */
import type { AdPlace, AdSlot, Ads } from '@/lib/ads';

export interface Size {
  width: number;
  height: number;
}

const BANNER = { wide: { width: 728, height: 90 }, narrow: { width: 320, height: 100 } };
const BOX = { width: 300, height: 250 };

const SIZES: Record<AdPlace, Record<keyof AdSlot, Size>> = {
  sponsor: BANNER,
  under_player: BANNER,
  page: BANNER,
  related: { wide: BOX, narrow: BOX },
};

export const sizeOf = (place: AdPlace, shape: keyof AdSlot): Size => SIZES[place][shape];

/** Fills the placeholders in an address. */
export const filled = (template: string, values: Record<string, string | number>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));

/** Chooses what is shown under the player, given a random number from 0 to 1. */
export const underPlayer = (ads: Ads, drawn: number): 'sponsor' | 'under_player' =>
  ads.under_player && (!ads.sponsor || drawn * 100 < ads.under_player_percent)
    ? 'under_player'
    : 'sponsor';
