/** A picture in the album. It can be moved by its handle or with arrow buttons, set as the cover, and removed. */
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { useAlbumText } from '@/i18n/album';
import { cn } from '@/lib/cn';
import { percentOf } from '@/shared/files/figures';
import { Icon } from '@/ui/icons';
import { MemberIcon } from '@/ui/member-icons';
import type { Picture } from './work';

interface Props {
  picture: Picture;
  /** Starts at 0. */
  index: number;
  total: number;
  isCover: boolean;
  /** The name of the radio group that selects the cover. */
  group: string;
  /** The id of the instructions for dragging and for the arrow keys. */
  hint: string;
  why: string | null;
  handle: object & { onPointerDown: (event: PointerEvent) => void };
  onKey: (event: KeyboardEvent) => void;
  onMove: (to: number) => void;
  onCover: () => void;
  onRemove: (button: HTMLElement) => void;
}

const over =
  'absolute top-1 grid size-11 place-items-center rounded-control bg-black/60 text-white transition-colors hover:bg-black/80 focus-visible:outline-white';
const plain =
  'grid size-11 shrink-0 place-items-center text-muted transition-colors hover:bg-raised hover:text-ink aria-disabled:opacity-40';

export function PictureTile(props: Props) {
  const { picture, index, total, isCover, group, hint, why, handle } = props;
  const { onKey, onMove, onCover, onRemove } = props;
  const say = useAlbumText();
  const { file, thumb, state } = picture;
  const number = index + 1;
  const name = say('picture', { number });
  const isEnd = (by: number) => index + by < 0 || index + by >= total;
  const step = (by: -1 | 1, label: string, icon: ReactNode) => (
    <button
      type="button"
      aria-label={label}
      // This isn't `disabled`, which would lose the focus.
      aria-disabled={isEnd(by)}
      className={plain}
      onClick={() => {
        if (!isEnd(by)) onMove(index + by);
      }}
    >
      {icon}
    </button>
  );
  return (
    <>
      <div
        className="relative aspect-[4/3] bg-raised select-none"
        // Touch scrolls the page, and drags only by the handle. A mouse drags the whole tile.
        {...handle}
        onPointerDown={(event) => {
          const pressed = (event.target as Element).closest('button');
          const isHandle = pressed?.hasAttribute('data-handle') ?? event.pointerType === 'mouse';
          if (isHandle) handle.onPointerDown(event);
        }}
      >
        {thumb ? (
          <img
            src={thumb}
            alt={file ? `${name}: ${file.name}` : name}
            draggable={false}
            className={cn(
              'size-full cursor-grab object-cover active:cursor-grabbing',
              state === 'refused' && 'opacity-40',
            )}
          />
        ) : (
          <p className="absolute inset-x-2 top-13 line-clamp-3 text-center text-xs break-words text-muted">
            {file?.name}
          </p>
        )}
        <button
          type="button"
          aria-label={say('move', { number })}
          aria-describedby={hint}
          className={cn(over, 'start-1 cursor-grab touch-none active:cursor-grabbing')}
          data-handle
          onKeyDown={onKey}
        >
          <MemberIcon name="drag" size={24} />
        </button>
        <button
          type="button"
          data-remove
          aria-label={say('remove', { number })}
          disabled={state === 'sending'}
          className={cn(over, 'end-1 disabled:opacity-40')}
          onClick={({ currentTarget }) => onRemove(currentTarget)}
        >
          <Icon name="close" size={18} />
        </button>
        {isCover && (
          <span
            aria-hidden="true"
            className="absolute start-1 bottom-1 rounded-control bg-accent px-2 py-0.5 text-xs font-semibold text-on-accent"
          >
            {say('cover')}
          </span>
        )}
        <Progress picture={picture} />
      </div>
      <div className="flex items-center justify-between">
        {step(-1, say('earlier', { number }), <Icon name="left" size={18} />)}
        <label className="flex min-h-11 min-w-0 items-center gap-2 text-xs font-semibold">
          <input
            type="radio"
            name={group}
            checked={isCover}
            disabled={state === 'refused'}
            onChange={onCover}
            aria-label={`${say('cover')}: ${name}`}
            className="size-5 shrink-0"
          />
          <span className="truncate">{say('cover')}</span>
        </label>
        {step(1, say('later', { number }), <Icon name="right" size={18} />)}
      </div>
      {why && <p className="px-2 pb-2 text-xs text-pretty text-danger">{why}</p>}
    </>
  );
}

function Progress({ picture: { state, sent, file } }: { picture: Picture }) {
  const say = useAlbumText();
  const percent = percentOf(sent, file?.size ?? 0);
  if (state === 'sending') {
    return (
      <span
        role="progressbar"
        aria-label={file?.name}
        aria-valuenow={percent}
        className="absolute inset-x-0 bottom-0 h-1.5 bg-black/60"
      >
        <span
          className="block h-full bg-accent transition-[width]"
          style={{ width: `${String(percent)}%` }}
        />
      </span>
    );
  }
  if (state === 'checking') return <span className="skeleton absolute inset-0" />;
  const isHere = state === 'uploaded' && file !== null;
  if (!isHere && state !== 'refused') return null;
  return (
    <span
      role="img"
      aria-label={say(isHere ? 'isHere' : 'isRefused')}
      className="absolute end-1 bottom-1 grid size-7 place-items-center rounded-full bg-black/60 text-white"
    >
      {isHere ? <Icon name="check" size={18} /> : <MemberIcon name="warning" size={18} />}
    </span>
  );
}
