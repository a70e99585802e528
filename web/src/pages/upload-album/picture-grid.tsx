/** The album's pictures in order, which can be dragged or moved with keys and buttons. One of them is the cover. */
import { useId, useState } from 'react';
import { useAlbumText } from '@/i18n/album';
import { cn } from '@/lib/cn';
import { placeBy } from '@/shared/order/reorder';
import { useDrag } from '@/shared/order/use-drag';
import type { Limits } from './picture-checks';
import { PictureTile } from './picture-tile';
import { useWhy } from './picture-why';
import { coverOf, withMoved, without, type Work } from './work';

interface Props {
  work: Work;
  limits: Limits;
  onChange: (change: (work: Work) => Work) => void;
  /** Called when the last picture was removed and the focus was lost with it. */
  onEmpty: () => void;
}

/** Returns the current number of columns. */
const columnsOf = (list: HTMLElement): number =>
  getComputedStyle(list).gridTemplateColumns.split(' ').length;

export function PictureGrid({ work, limits, onChange, onEmpty }: Props) {
  const say = useAlbumText();
  const whyOf = useWhy(limits);
  const id = useId();
  const [said, setSaid] = useState('');
  const { pictures } = work;
  const total = pictures.length;
  const move = (from: number, to: number) => {
    if (from === to) return;
    onChange((old) => withMoved(old, from, to));
    setSaid(say('movedTo', { number: from + 1, place: to + 1, total }));
  };
  const { list, dragged, styleOf, handle } = useDrag<HTMLOListElement>(total, move);
  const cover = coverOf(work);
  return (
    <>
      <p id={`${id}-hint`} className="text-xs text-muted">
        {say('moveHint')}
      </p>
      <ol
        ref={list}
        aria-label={say('pictures')}
        className="grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-3 sm:grid-cols-[repeat(auto-fill,minmax(11rem,1fr))]"
      >
        {pictures.map((picture, index) => (
          <li
            key={picture.key}
            style={styleOf(index)}
            className={cn(
              'overflow-hidden rounded-card border bg-surface',
              picture.state === 'refused' ? 'border-danger' : 'border-line',
              dragged === index && 'outline-2 outline-accent',
            )}
          >
            <PictureTile
              picture={picture}
              index={index}
              total={total}
              isCover={picture.key === cover}
              group={`${id}-cover`}
              hint={`${id}-hint`}
              why={whyOf(picture)}
              handle={handle(index)}
              onKey={(event) => {
                const to = list.current
                  ? placeBy(event.key, index, total, columnsOf(list.current))
                  : null;
                if (to === null) return;
                event.preventDefault();
                move(index, to);
              }}
              onMove={(to) => move(index, to)}
              onCover={() => onChange((old) => ({ ...old, cover: picture.key }))}
              onRemove={(button) => {
                const row = button.closest('li');
                const next = row?.nextElementSibling ?? row?.previousElementSibling;
                const other = next?.querySelector<HTMLElement>('[data-remove]');
                if (other) other.focus();
                else onEmpty();
                onChange((old) => without(old, ({ key }) => key === picture.key));
                setSaid(say('removed', { number: index + 1 }));
              }}
            />
          </li>
        ))}
      </ol>
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  );
}
