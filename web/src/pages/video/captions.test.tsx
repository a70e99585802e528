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
let change: (...keys: string[]) => void;

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
  const textTracks = new EventTarget();
  Object.defineProperty(HTMLMediaElement.prototype, 'textTracks', {
    configurable: true,
    value: textTracks,
  });
  await render(<Player list={list} />);
  // The browser changes what is shown.
  change = (...keys) => {
    for (const [element, track] of modes)
      track.mode = keys.includes(element.getAttribute('data-caption') ?? '')
        ? 'showing'
        : 'disabled';
    act(() => void textTracks.dispatchEvent(new Event('change')));
  };
  return () =>
    [...modes]
      .filter(([element, { mode }]) => element.isConnected && mode === 'showing')
      .map(([element]) => element.getAttribute('data-caption'));
}

describe('captions', () => {
  it('are toggled, in the language of the visitor first', async () => {
    const shown = await player(LIST);
    expect(shown()).toEqual([]);
    change('en subtitles');
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

  it('follow a menu of the browser, but not its own choice beside the chosen one', async () => {
    const shown = await player(LIST);
    act(() => captions.setTrack('de captions'));
    change('de captions', 'en subtitles');
    expect(shown()).toEqual(['de captions']);
    change('en subtitles');
    expect(shown()).toEqual(['de captions']);
    // In full screen on phones, the menu is the browser's.
    Object.assign(document.querySelector('video') ?? {}, { webkitDisplayingFullscreen: true });
    change('en subtitles');
    expect([captions.track, shown()]).toEqual(['en subtitles', ['en subtitles']]);
    change();
    expect([captions.track, shown()]).toEqual(['', []]);
    expect(localStorage.getItem('lantern.captions')).toBe('"en subtitles"');
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
