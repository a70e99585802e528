/** What the server sends of advertisements where its operator set some up (`api/src/page/business.rs`). */

/** Addresses of frames; empty means none in such a window. */
export interface AdSlot {
  wide: string;
  narrow: string;
}

export type AdPlace = 'sponsor' | 'under_player' | 'related' | 'page';

export type Ads = Partial<Record<AdPlace, AdSlot>> & {
  /** The visitor must agree first. */
  asks: boolean;
  /** Of a hundred views of a video, how many have `under_player`. */
  under_player_percent: number;
  /** Banners of channels' sponsors are shown. */
  channel_banners: boolean;
};
