/** Videos of a playlist in their order, to be moved: dragged by the handle, or with the buttons beside it. */
import { useRef, useState, type PointerEvent } from 'react';
import type { VideoCard } from '@/api/types';
import { MemberIcon } from '@/ui/member-icons';
import { cn } from '@/lib/cn';
import { Button } from '@/ui/button';
import { Icon } from '@/ui/icons';
import { moved, rowAt } from './reorder';
import { useMemberText } from '@/i18n/member';

interface Props {
  videos: VideoCard[];
  /** Places from 0. */
  onMove: (from: number, to: number) => void;
}

export function OrderList({ videos, onMove }: Props) {
  const say = useMemberText();
  const list = useRef<HTMLOListElement>(null);
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const shown = drag ? moved(videos, drag.from, drag.to) : videos;
  const over = ({ clientY }: PointerEvent): number =>
    rowAt(
      [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect()),
      clientY,
    );
  return (
    <ol ref={list} className="flex max-w-2xl flex-col gap-2">
      {shown.map((video, index) => (
        <li
          key={video.video_id}
          className={cn(
            'flex items-center gap-3 rounded-card bg-surface p-2 select-none',
            drag?.to === index && 'outline-2 outline-accent',
          )}
        >
          <span
            aria-hidden="true"
            className="grid h-11 w-6 cursor-grab touch-none place-items-center text-muted active:cursor-grabbing"
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId);
              setDrag({ from: index, to: index });
            }}
            onPointerMove={(event) => {
              if (drag) setDrag({ ...drag, to: over(event) });
            }}
            onPointerUp={() => {
              if (drag) onMove(drag.from, drag.to);
              setDrag(null);
            }}
            onPointerCancel={() => {
              setDrag(null);
            }}
          >
            <MemberIcon name="drag" />
          </span>
          <img
            src={video.thumb}
            alt=""
            width={320}
            height={180}
            draggable={false}
            className="aspect-video w-24 shrink-0 rounded-control object-cover"
          />
          <span className="line-clamp-2 min-w-0 flex-1 text-sm font-medium">{video.title}</span>
          <Button
            look="icon"
            aria-label={say('up', { title: video.title })}
            disabled={index === 0}
            className="disabled:opacity-40"
            onClick={() => {
              onMove(index, index - 1);
            }}
          >
            <MemberIcon name="raise" />
          </Button>
          <Button
            look="icon"
            aria-label={say('down', { title: video.title })}
            disabled={index === shown.length - 1}
            className="disabled:opacity-40"
            onClick={() => {
              onMove(index, index + 1);
            }}
          >
            <Icon name="down" />
          </Button>
        </li>
      ))}
    </ol>
  );
}
