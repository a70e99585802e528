/** A card's menu. It opens next to the card if there is room, else in a bottom sheet. */
import * as Menu from '@radix-ui/react-dropdown-menu';
import { useRef, useState, type ReactNode } from 'react';
import type { VideoCard } from '@/api/types';
import { useActionText } from '@/i18n/actions';
import { useMedia, WIDE } from '@/lib/use-media';
import { useRequireLogin } from '@/shared/account/use-require-login';
import { useBackCloses } from '@/ui/back';
import { leaveFocus } from '@/ui/focus';
import { Icon } from '@/ui/icons';
import Sheet from '@/ui/sheet';
import { CardMenuButton } from './card-menu-button';
import { AddToDialog, ReportDialog, ShareDialog } from './dialogs';
import { MemberIcon } from '@/ui/member-icons';
import { useMutes } from '@/shared/mutes/mutes';
import { isMuted, type MuteTarget } from '@/shared/mutes/change';
import { useMute } from '@/shared/mutes/use-mute';
import { useMemberState } from './member-state';
import { useAct } from './use-act';
import { toggled } from './video-acts';

type Dialog = 'add' | 'share' | 'report';
interface Item {
  icon: ReactNode;
  text: string;
  onSelect: () => void;
}

/** The menu is open at first, because the click that loaded this code opens it. */
export default function CardMenuPanel({ video }: { video: VideoCard }) {
  const wide = useMedia(WIDE);
  const [open, setOpen] = useState(true);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    setDialog(null);
    button.current?.focus();
  };
  const parts = { video, open, onOpenChange: setOpen, onDialog: setDialog, button };
  return (
    <>
      {wide ? <WideMenu {...parts} /> : <NarrowMenu {...parts} />}
      {dialog === 'add' && <AddToDialog videoId={video.video_id} onClose={close} />}
      {dialog === 'share' && <ShareDialog video={video} time={0} onClose={close} />}
      {dialog === 'report' && (
        <ReportDialog
          about={{ section: 'video', id: video.video_id, title: video.title }}
          onClose={close}
        />
      )}
    </>
  );
}

interface Parts {
  video: VideoCard;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onDialog: (dialog: Dialog) => void;
  button: React.RefObject<HTMLButtonElement | null>;
}

const row =
  'flex min-h-11 w-full items-center gap-3 rounded-control px-3 text-start text-sm hover:bg-raised lg:min-h-10';

function WideMenu({ video, open, onOpenChange, onDialog, button }: Parts) {
  useBackCloses(() => onOpenChange(false), open);
  return (
    <Menu.Root open={open} onOpenChange={onOpenChange} modal={false}>
      <Menu.Trigger asChild>
        <CardMenuButton ref={button} title={video.title} open={open} />
      </Menu.Trigger>
      <Menu.Content
        align="end"
        sideOffset={4}
        collisionPadding={8}
        loop
        onCloseAutoFocus={leaveFocus}
        className="z-40 w-64 outline-none animate-[appear_120ms] rounded-card border border-line bg-surface p-2 text-ink shadow-pop"
      >
        <Items video={video} onDialog={onDialog}>
          {({ icon, text, onSelect }, index) => (
            <Menu.Item
              key={text}
              // However the menu was opened, the keyboard focus continues here.
              ref={index === 0 ? focusFirst : undefined}
              onSelect={onSelect}
              className={row}
            >
              {icon}
              {text}
            </Menu.Item>
          )}
        </Items>
      </Menu.Content>
    </Menu.Root>
  );
}

const focusFirst = (item: HTMLElement | null) => {
  item?.focus({ preventScroll: true });
};

function NarrowMenu({ video, open, onOpenChange, onDialog, button }: Parts) {
  return (
    <>
      <CardMenuButton
        ref={button}
        title={video.title}
        open={open}
        aria-haspopup="dialog"
        onClick={() => onOpenChange(true)}
      />
      {open && (
        <Sheet title={video.title} place="bottom" onClose={() => onOpenChange(false)}>
          <Items video={video} onDialog={onDialog}>
            {({ icon, text, onSelect }) => (
              <button
                key={text}
                type="button"
                className={row}
                onClick={() => {
                  onOpenChange(false);
                  onSelect();
                }}
              >
                {icon}
                {text}
              </button>
            )}
          </Items>
        </Sheet>
      )}
    </>
  );
}

/** How many names of each kind the menu offers. Other models and categories can be muted on their own pages. */
const NAMES = 2;

/** Returns the video's names that can be muted. */
const namesOf = ({ models, categories }: VideoCard): MuteTarget[] => [
  ...models.slice(0, NAMES).map((one) => ({ kind: 'models' as const, ...one })),
  ...categories.slice(0, NAMES).map((one) => ({ kind: 'categories' as const, ...one })),
];

interface ItemsProps {
  video: VideoCard;
  onDialog: (dialog: Dialog) => void;
  children: (item: Item, index: number) => ReactNode;
}

/** Actions on the video. The member's state is requested when the menu opens. */
function Items({ video, onDialog, children }: ItemsProps) {
  const say = useActionText();
  const state = useMemberState('video', video.video_id);
  const act = useAct('video', video.video_id);
  const requireLogin = useRequireLogin();
  const mutes = useMutes();
  const mute = useMute();
  const items: Item[] = [
    {
      icon: <Icon name="clock" size={18} />,
      text: say(state?.watch_later ? 'unlater' : 'later'),
      onSelect: () => void act(toggled('watch_later', video.video_id, state, say)),
    },
    {
      icon: <MemberIcon name="add" />,
      text: say('addTo'),
      onSelect: () => void requireLogin(() => onDialog('add')),
    },
    {
      icon: <Icon name="share" size={18} />,
      text: say('share'),
      onSelect: () => onDialog('share'),
    },
    {
      icon: <MemberIcon name="flag" />,
      text: say('report'),
      onSelect: () => onDialog('report'),
    },
    ...namesOf(video).map((what): Item => {
      const on = isMuted(mutes, what);
      return {
        icon: <MemberIcon name="hide" />,
        text: say(on ? 'unmute' : 'mute', { title: what.title }),
        onSelect: () => void mute(what, !on),
      };
    }),
  ];
  return items.map(children);
}
