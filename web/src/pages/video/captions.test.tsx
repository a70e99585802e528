// @vitest-environment happy-dom
import { act, useEffect, useRef } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Caption } from '@/api/types';
import { render } from '@/lib/render';
import { fittingTrack, keyOf, useCaptions, type Captions } from './captions';

const caption = (lang: string, kind: Caption['kind'] = 'subtitles'): Caption => ({
  lang,
  kind,
  label: lang,
  src: `/${lang}-${kind}`,
});
const LIST = [caption('de'), caption('de', 'captions'), caption('en')];

afterEach(() => localStorage.clear());

describe('the shown track', () => {
  it.each([
    ['de captions', 'de captions'],
    ['en captions', 'en subtitles'],
    ['de', 'de subtitles'],
    ['fr subtitles', ''],
    ['', ''],
  ])('for %s is %s', (wanted, shown) => {
    expect(fittingTrack(LIST, wanted)).toBe(shown);
  });
});

let captions: Captions;

function Player({ list }: { list: Caption[] }) {
  const video = useRef<HTMLVideoElement>(null);
  const found = useCaptions(video, list, 'en', true);
  useEffect(() => {
    captions = found;
  });
  return (
    // eslint-disable-next-line jsx-a11y/media-has-caption
    <video ref={video}>
      {list.map((one) => (
        <track key={one.src} kind={one.kind} data-caption={keyOf(one)} />
      ))}
    </video>
  );
}

/** Renders a player, and returns a function that tells which tracks it shows. */
async function player(list: Caption[]): Promise<() => unknown[]> {
  // The test's browser has no text tracks.
  const modes = new Map<Element, { mode: string }>();
  Object.defineProperty(HTMLTrackElement.prototype, 'track', {
    configurable: true,
    get(this: Element) {
      const track = modes.get(this) ?? { mode: 'disabled' };
      modes.set(this, track);
      return track;
    },
  });
  await render(<Player list={list} />);
  return () =>
    [...modes]
      .filter(([element, { mode }]) => element.isConnected && mode === 'showing')
      .map(([element]) => element.getAttribute('data-caption'));
}

describe('captions', () => {
  it('are toggled, in the language of the visitor first', async () => {
    const shown = await player(LIST);
    expect(shown()).toEqual([]);
    act(() => captions.toggle());
    expect(shown()).toEqual(['en subtitles']);
    act(() => captions.setTrack('de captions'));
    expect(shown()).toEqual(['de captions']);
    act(() => captions.toggle());
    expect(shown()).toEqual([]);
    act(() => captions.toggle());
    expect(shown()).toEqual(['de captions']);
  });

  it('stay on in other videos, with their look', async () => {
    await player(LIST);
    act(() => captions.setTrack('de captions'));
    act(() => captions.setLook({ size: 'huge', color: 'cyan' }));
    const shown = await player([caption('ja'), caption('de')]);
    expect(shown()).toEqual(['de subtitles']);
    expect(captions.look).toEqual({ size: 'huge', color: 'cyan' });
  });
});
