/** A playlist's videos, which are sorted by dragging their handles or with buttons. */
import type { VideoCard } from '@/api/types';
import { useDrag } from '@/shared/order/use-drag';
import { MemberIcon } from '@/ui/member-icons';
import { cn } from '@/lib/cn';
import { Button } from '@/ui/button';
import { Icon } from '@/ui/icons';
import { LangText } from '@/ui/lang-text';
import { useMemberText } from '@/i18n/member';

interface Props {
  videos: VideoCard[];
  /** Positions start at 0. */
  onMove: (from: number, to: number) => void;
}

export function OrderList({ videos, onMove }: Props) {
  const say = useMemberText();
  const { list, dragged, styleOf, handle } = useDrag<HTMLOListElement>(videos.length, onMove);
  return (
    <ol ref={list} className="flex max-w-2xl flex-col gap-2">
      {videos.map((video, index) => (
        <li
          key={video.video_id}
          style={styleOf(index)}
          className={cn(
            'flex items-center gap-3 rounded-card bg-surface p-2 select-none',
            dragged === index && 'outline-2 outline-accent',
          )}
        >
          <span
            aria-hidden="true"
            className="grid h-11 w-6 cursor-grab touch-none place-items-center text-muted active:cursor-grabbing"
            {...handle(index)}
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
          <span className="line-clamp-2 min-w-0 flex-1 text-sm font-medium">
            <LangText lang={video.title_lang}>{video.title}</LangText>
          </span>
          <Button
            look="icon"
            aria-label={say('up', { title: video.title })}
            disabled={index === 0}
            className="disabled:opacity-40"
            onClick={() => onMove(index, index - 1)}
          >
            <MemberIcon name="raise" />
          </Button>
          <Button
            look="icon"
            aria-label={say('down', { title: video.title })}
            disabled={index === videos.length - 1}
            className="disabled:opacity-40"
            onClick={() => onMove(index, index + 1)}
          >
            <Icon name="down" />
          </Button>
        </li>
      ))}
    </ol>
  );
}
