/** Downloads a video: first there is a wait, then the link. The server enforces the wait, too. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Answer } from '@/api/call';
import { get, post } from '@/api/client';
import { useDownloadText } from '@/i18n/download';
import { useVisitor } from '@/lib/visitor';
import { button } from '@/ui/button';
import { LoadError } from '@/ui/problem';
import { useSecondsLeft } from './use-seconds-left';

type Offer = Answer<'/api/download.php'>;

/** The response isn't cached: an earlier ticket may have expired, and then the wait starts again. */
const ONCE = { staleTime: Infinity, gcTime: 0, retry: false } as const;
const DAY_SECONDS = 86_400;
const MEGABYTE = 1024 * 1024;

const offerQuery = (id: number) =>
  queryOptions({ ...get('/api/download.php', { video_id: id }), ...ONCE });

const linkQuery = (ticket: string) =>
  queryOptions({
    queryKey: ['download', ticket],
    queryFn: () => post('/api/download.php', { ticket }),
    ...ONCE,
  });

export function Download({ id }: { id: number }) {
  const { data, dataUpdatedAt, error, refetch } = useQuery(offerQuery(id));
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data) return <div aria-busy="true" className="skeleton h-32 rounded-control" />;
  return (
    <Wait key={data.ticket} offer={data} since={dataUpdatedAt} onAgain={() => void refetch()} />
  );
}

interface Props {
  offer: Offer;
  /** When the response arrived, in ms. */
  since: number;
  onAgain: () => void;
}

function Wait({ offer, since, onAgain }: Props) {
  const say = useDownloadText();
  const { lang } = useVisitor();
  const left = useSecondsLeft(since, offer.wait);
  const { data: link, error } = useQuery({ ...linkQuery(offer.ticket), enabled: left === 0 });
  if (error) return <LoadError error={error} onRetry={onAgain} />;
  const size = new Intl.NumberFormat(lang, {
    style: 'unit',
    unit: 'megabyte',
    maximumFractionDigits: 1,
  }).format(offer.bytes / MEGABYTE);
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm break-words text-muted">
        {`${offer.name} · ${String(offer.height)}p · ${size}`}
      </p>
      {/* Screen readers announce the result, but not each second. */}
      <p role="status">{say(link ? 'ready' : 'preparing')}</p>
      {link ? (
        <>
          <a href={link.url} download={link.name} className={button.primary}>
            {say('save')}
          </a>
          <p className="text-sm text-muted">
            {say('lasts', { days: Math.round((link.expires - since / 1000) / DAY_SECONDS) })}
          </p>
        </>
      ) : (
        <>
          <progress
            max={Math.max(1, offer.wait)}
            value={offer.wait - left}
            aria-label={say('preparing')}
            className="h-2 w-full appearance-none overflow-hidden rounded-full bg-raised [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-raised [&::-webkit-progress-value]:bg-accent"
          />
          <p role="timer" aria-live="off" className="text-sm tabular-nums">
            {say('readyIn', { seconds: left })}
          </p>
        </>
      )}
    </div>
  );
}
