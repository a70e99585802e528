/** Advertising that the operator has configured, as sent by the server (`site/src/business.rs`). */

/** Addresses for the frame. If one is empty, windows of that width have no frame. */
export interface AdSlot {
  wide: string;
  narrow: string;
}

export type AdPlace = 'sponsor' | 'under_player' | 'related' | 'page';

export type Ads = Partial<Record<AdPlace, AdSlot>> & {
  /** Whether the visitor must consent first. */
  asks: boolean;
  /** Percentage of video views that show `under_player`. */
  under_player_percent: number;
  /** Whether banners of channels' sponsors are shown. */
  channel_banners: boolean;
};
