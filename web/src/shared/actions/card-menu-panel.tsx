/** The menu of a card: beside it where there is room, from the bottom of the window where there is not. */
import { Suspense, useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { VideoCard } from '@/api/types';
import { useRequireLogin } from '@/shared/account/use-require-login';
import { useMedia, WIDE } from '@/lib/use-media';
import { Icon } from '@/ui/icons';
import Sheet from '@/ui/sheet';
import { AddToDialog, ReportDialog, ShareDialog } from './dialogs';
import { ActionIcon } from './icons';
import { useMemberState } from './member-state';
import { stepIn } from './menu-keys';
import { useActionText } from '@/i18n/actions';
import { useAct } from './use-act';
import { toggled } from './video-acts';

interface Props {
  id: string;
  video: VideoCard;
  onClose: () => void;
}
type Dialog = 'add' | 'share' | 'report';

export default function CardMenuPanel({ id, video, onClose }: Props) {
  const wide = useMedia(WIDE);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  if (dialog) {
    return (
      <Suspense>
        {dialog === 'add' && <AddToDialog videoId={video.video_id} onClose={onClose} />}
        {dialog === 'share' && <ShareDialog video={video} time={0} onClose={onClose} />}
        {dialog === 'report' && (
          <ReportDialog section="video" id={video.video_id} title={video.title} onClose={onClose} />
        )}
      </Suspense>
    );
  }
  const items = <Items video={video} id={id} onOpen={setDialog} onClose={onClose} />;
  if (!wide) {
    return (
      <Sheet title={video.title} place="bottom" onClose={onClose}>
        {items}
      </Sheet>
    );
  }
  return (
    <div className="absolute end-0 top-full z-40 mt-1 w-56 animate-[appear_120ms] rounded-card border border-line bg-surface p-2 text-ink shadow-pop">
      {items}
    </div>
  );
}

function Items({
  id,
  video,
  onOpen,
  onClose,
}: Props & {
  onOpen: (dialog: Dialog) => void;
}) {
  const say = useActionText();
  const menu = useRef<HTMLDivElement>(null);
  const state = useMemberState('video', video.video_id);
  const act = useAct('video', video.video_id);
  const requireLogin = useRequireLogin();
  useEffect(() => {
    menu.current?.querySelector('button')?.focus();
  }, []);
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || event.key === 'Tab') {
      onClose();
      return;
    }
    const buttons = [...(menu.current?.querySelectorAll('button') ?? [])];
    const at = buttons.findIndex((item) => item === document.activeElement);
    const next = stepIn(event.key, at, buttons.length);
    if (next === null) return;
    event.preventDefault();
    buttons[next]?.focus();
  };
  const item = (icon: ReactNode, text: string, onClick: () => void) => (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      onClick={onClick}
      className="flex min-h-11 w-full items-center gap-3 rounded-control px-3 text-start text-sm hover:bg-raised lg:min-h-10"
    >
      {icon}
      {text}
    </button>
  );
  return (
    <div
      ref={menu}
      id={id}
      role="menu"
      tabIndex={-1}
      aria-label={say('more', { title: video.title })}
      onKeyDown={onKey}
    >
      {item(<Icon name="clock" size={18} />, say(state?.watch_later ? 'unlater' : 'later'), () => {
        void act(toggled('watch_later', video.video_id, state, say));
        onClose();
      })}
      {item(<ActionIcon name="add" />, say('addTo'), () => {
        void requireLogin(() => {
          onOpen('add');
        });
      })}
      {item(<Icon name="share" size={18} />, say('share'), () => {
        onOpen('share');
      })}
      {item(<ActionIcon name="flag" />, say('report'), () => {
        onOpen('report');
      })}
    </div>
  );
}
