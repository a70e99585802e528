/** Records that a video is being watched, and its position. Renders nothing. */
import { useEffect, useRef, type RefObject } from 'react';
import type { Video } from '@/api/types';
import { leaving, useMe } from '@/shared/account/use-me';
import { useMemberState } from '@/shared/actions/member-state';
import { useActionText } from '@/i18n/actions';
import { clock } from '@/shared/actions/share-links';
import { ApiError } from '@/lib/http';
import { sendAct, sendActOnLeave, type Act } from '@/api/act';
import { toast } from '@/ui/toast';
import { noteAt, resumeAt, watched } from '@/shared/history/entries';
import { secondsOf } from '@/shared/history/stored';
import { changeGuestHistory, guestHistory } from '@/shared/history/guest-history';
import { noteProgress } from '@/shared/history/progress';
import { seek } from '@/shared/player/seek';

/** The delay is the same as for a view: if the visitor leaves sooner, the video doesn't count as watched. */
const WATCHED_MS = 1000;
/** How many seconds are played between two reports of the position. */
const NOTE_S = 10;

interface Props {
  video: Video;
  player: RefObject<HTMLVideoElement | null>;
  /** The start time in seconds, or 0 if the address has none. */
  startTime: number;
}

const fieldsOf = (id: number, stoppedAt?: number): Act => ({
  act: 'history',
  section: 'add',
  object_id: id,
  ...(stoppedAt !== undefined && { stopped_at: stoppedAt }),
});

export default function WatchRecorder({ video, player, startTime }: Props) {
  const me = useMe();
  const state = useMemberState('video', video.video_id);
  const gone = leaving.useValue();
  if (me === undefined || !state || gone) return null;
  const kept = guestHistory().items.find((item) => item.video.video_id === video.video_id);
  const last = me ? state.stopped_at : (kept?.stopped_at ?? 0);
  return <Recorder video={video} player={player} from={startTime > 0 ? 0 : last} member={!!me} />;
}

interface RecorderProps extends Omit<Props, 'startTime'> {
  /** The last known position in seconds. */
  from: number;
  member: boolean;
}

function Recorder({ video, player, from, member }: RecorderProps) {
  const say = useActionText();
  // The position when the page opened. Later reports don't change it.
  const left = useRef(from);
  useEffect(() => {
    const length = secondsOf(video.duration);
    const note = async (stoppedAt?: number) => {
      if (!member) {
        const now = new Date().toISOString();
        changeGuestHistory((history) => watched(history, { video, now, stoppedAt }));
        return;
      }
      try {
        await sendAct(fieldsOf(video.video_id, stoppedAt));
        if (stoppedAt !== undefined) noteProgress(video.video_id, stoppedAt / Math.max(1, length));
      } catch (error) {
        // The next report contains a later position.
        if (!(error instanceof ApiError)) throw error;
      }
    };
    const timer = setTimeout(() => void note(), WATCHED_MS);
    let noted = 0;
    let at = 0;
    let duration = NaN;
    const position = () => noteAt(at, duration, length);
    const resume = (element: HTMLVideoElement) => {
      const target = resumeAt(left.current, element.duration);
      left.current = 0;
      if (target === 0 || element.currentTime > 1) return;
      seek(element, target);
      void toast(say('continued', { time: clock(target) }));
    };
    // The element is created later, and media events don't bubble, so this listens in the capture phase.
    const heard = ({ type, target }: Event) => {
      const element = player.current;
      if (!element || target !== element) return;
      if (type === 'loadedmetadata') resume(element);
      at = element.currentTime;
      duration = element.duration;
      const due = type === 'timeupdate' && Math.abs(at - noted) >= NOTE_S;
      if (at > 0 && (due || type === 'pause' || type === 'ended')) {
        noted = at;
        void note(position());
      }
    };
    const last = (send: (stoppedAt: number) => void) => {
      if (at === 0 || Math.abs(at - noted) < 1) return;
      noted = at;
      send(position());
    };
    const noteLast = () => {
      last((stoppedAt) => void note(stoppedAt));
    };
    const leave = () => {
      if (!member) {
        noteLast();
        return;
      }
      last((stoppedAt) => {
        sendActOnLeave(fieldsOf(video.video_id, stoppedAt));
      });
    };
    const events = ['loadedmetadata', 'timeupdate', 'pause', 'ended'];
    for (const type of events) document.addEventListener(type, heard, true);
    addEventListener('pagehide', leave);
    if (player.current && player.current.readyState > 0) resume(player.current);
    return () => {
      clearTimeout(timer);
      for (const type of events) document.removeEventListener(type, heard, true);
      removeEventListener('pagehide', leave);
      noteLast();
    };
  }, [video, player, member, say]);
  return null;
}
