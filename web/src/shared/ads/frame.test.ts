import { describe, expect, it } from 'vitest';
import type { Ads } from '@/lib/ads';
import { filled, sizeOf, underPlayer } from './frame';

const slot = { wide: 'https://ads.example/a', narrow: '' };
const ads = (more: Partial<Ads>): Ads => ({
  asks: false,
  under_player_percent: 10,
  channel_banners: false,
  ...more,
});

describe('the address of a frame', () => {
  it('fills its placeholders, escaping anything that could end a value', () => {
    const address = filled('https://ads.example/?s={width}x{height}&l={lang}&v={vda}&x={other}', {
      ...sizeOf('sponsor', 'wide'),
      lang: 'de',
      vda: 'a&b="c"',
    });
    expect(address).toBe('https://ads.example/?s=728x90&l=de&v=a%26b%3D%22c%22&x=');
  });

  it('has the specified sizes', () => {
    expect(sizeOf('sponsor', 'narrow')).toEqual({ width: 320, height: 100 });
    expect(sizeOf('under_player', 'wide')).toEqual({ width: 728, height: 90 });
    expect(sizeOf('related', 'narrow')).toEqual({ width: 300, height: 250 });
  });
});

describe('the slot under the player', () => {
  it('shows the other one for one view in ten', () => {
    const both = ads({ sponsor: slot, under_player: slot });
    const shown = Array.from({ length: 100 }, (_, at) => underPlayer(both, at / 100));
    expect(shown.filter((place) => place === 'under_player')).toHaveLength(10);
  });

  it('shows the only one there is', () => {
    expect(underPlayer(ads({ under_player: slot }), 0.9)).toBe('under_player');
    expect(underPlayer(ads({ sponsor: slot }), 0)).toBe('sponsor');
  });
});
