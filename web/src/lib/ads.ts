/** Advertising configured by the operator, as sent by the server (`api/src/page/business.rs`). */

/** Frame addresses; empty means none in windows of that width. */
export interface AdSlot {
  wide: string;
  narrow: string;
}

export type AdPlace = 'sponsor' | 'under_player' | 'related' | 'page';

export type Ads = Partial<Record<AdPlace, AdSlot>> & {
  /** The visitor must consent first. */
  asks: boolean;
  /** Percentage of video views that show `under_player`. */
  under_player_percent: number;
  /** Whether banners of channels' sponsors are shown. */
  channel_banners: boolean;
};
