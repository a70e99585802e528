/** An upload's details, and information about the member who uploaded it. */
import { useState, type ReactNode } from 'react';
import { post } from '@/api/client';
import { useT } from '@/i18n';
import { useErrorText } from '@/i18n/errors';
import { useModerateText } from '@/i18n/moderate';
import { fullDate } from '@/lib/format';
import { GENDERS, LANGS, OWN_NAMES } from '@/lib/audience';
import { oneOf } from '@/lib/one-of';
import { useVisitor } from '@/lib/visitor';
import { Button } from '@/ui/button';
import { toast } from '@/ui/toast';
import { clock } from '@/shared/actions/share-links';
import { fullTime } from '@/shared/details/publish-time';
import type { Upload } from './queries';
import { useStepUp } from './step-up';

export function Box({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3 rounded-card border border-line bg-surface p-4">
      <h3 className="text-base font-semibold">{title}</h3>
      {children}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-1 sm:grid-cols-[10rem_1fr]">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}

interface Props {
  upload: Upload;
  /** Called after reports were closed. */
  onDone: () => Promise<void>;
}

export function Facts({ upload, onDone }: Props) {
  const say = useModerateText();
  const t = useT();
  const { lang, gender } = useVisitor();
  const { description, categories, file_name, duration, height, is_private, publish_at } = upload;
  const audience = [
    t(`gender.${oneOf(GENDERS, upload.gender, gender)}`),
    OWN_NAMES[oneOf(LANGS, upload.lang, lang)],
    is_private && say(upload.upload.section === 'album' ? 'ownerOnly' : 'private'),
  ];
  return (
    <>
      <Box title={say('details')}>
        <dl className="flex flex-col gap-2 text-sm">
          {description && <Fact name={say('description')}>{description}</Fact>}
          {upload.chapters && (
            <Fact name={t('video.chapters')}>
              <span className="whitespace-pre-line">{upload.chapters}</span>
            </Fact>
          )}
          <Fact name={say('categories')}>{categories.join(', ') || '—'}</Fact>
          <Fact name={say('audience')}>{audience.filter(Boolean).join(' · ')}</Fact>
          {duration > 0 && (
            <Fact name={say('length')}>{`${clock(duration)} · ${String(height)}p`}</Fact>
          )}
          {publish_at && (
            <Fact name={say('publication')}>
              <time dateTime={publish_at}>
                {say('scheduledFor', { date: fullTime(publish_at, lang) })}
              </time>
            </Fact>
          )}
          {file_name && <Fact name={say('file')}>{file_name}</Fact>}
        </dl>
      </Box>
      <Uploader upload={upload} />
      <Complaints upload={upload} onDone={onDone} />
      <Decisions upload={upload} />
    </>
  );
}

function Uploader({ upload: { upload, uploader } }: { upload: Upload }) {
  const say = useModerateText();
  const { lang } = useVisitor();
  return (
    <Box title={`${say('uploader')}: ${upload.username ?? '—'}`}>
      {uploader ? (
        <div className="flex flex-col gap-1 text-sm">
          <p>{say('since', { date: fullDate(uploader.created_at, lang) })}</p>
          <p className="text-muted">
            {say('history', {
              shown: uploader.shown,
              rejected: uploader.rejected,
              takenDown: uploader.taken_down,
              reported: uploader.reported,
              bans: uploader.bans,
            })}
          </p>
        </div>
      ) : (
        <p className="text-sm">{say('gone')}</p>
      )}
    </Box>
  );
}

const CLOSINGS = ['resolve', 'reject'] as const;

/** The upload's reports. They are closed all at once, because a decision on the upload settles all of them. */
function Complaints({ upload: { reports }, onDone }: Props) {
  const say = useModerateText();
  const textOf = useErrorText();
  const stepUp = useStepUp();
  const [problem, setProblem] = useState<unknown>(null);
  const [isPending, setIsPending] = useState(false);
  const [first] = reports;
  if (!first) return null;
  const close = async (verdict: (typeof CLOSINGS)[number]) => {
    setProblem(null);
    setIsPending(true);
    try {
      const { reports: number } = await stepUp(() =>
        post('/api/moderate/reports', { id: first.id, verdict }),
      );
      void toast(say('done_reports', { number }));
      await onDone();
    } catch (error) {
      setProblem(error);
    } finally {
      setIsPending(false);
    }
  };
  return (
    <Box title={say('complaints')}>
      <ul className="flex flex-col gap-3 text-sm">
        {reports.map(({ id, reason, message, username }) => (
          <li key={id}>
            <p className="font-semibold">
              {reason ? textOf({ code: `reason_${reason}` }, reason) : '—'}
            </p>
            <p className="text-muted">{username ?? say('guest')}</p>
            <p className="break-words whitespace-pre-line">{message}</p>
          </li>
        ))}
      </ul>
      {problem !== null && (
        <p role="alert" className="text-sm text-danger">
          {textOf(problem)}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {CLOSINGS.map((verdict) => (
          <Button
            key={verdict}
            look="plain"
            disabled={isPending}
            onClick={() => void close(verdict)}
          >
            {say(`reports_${verdict}`)}
          </Button>
        ))}
      </div>
    </Box>
  );
}

function Decisions({ upload: { decisions } }: { upload: Upload }) {
  const say = useModerateText();
  const { lang } = useVisitor();
  if (decisions.length === 0) return null;
  return (
    <Box title={say('decisions')}>
      <ol className="flex flex-col gap-1 text-sm">
        {decisions.map(({ number, decided_at, actor, act }) => (
          <li key={number} className="text-muted">
            {`${String(number)} · ${fullDate(decided_at, lang)} · ${actor} · ${act}`}
          </li>
        ))}
      </ol>
    </Box>
  );
}
