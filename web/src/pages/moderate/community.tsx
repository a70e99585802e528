/** Profile changes, and reports about content other than uploads. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { post } from '@/api/client';
import { useCommunityText } from '@/i18n/community';
import { useErrorText } from '@/i18n/errors';
import { useModerateText } from '@/i18n/moderate';
import { ApiError } from '@/lib/http';
import { age } from '@/lib/format';
import { useVisitor } from '@/lib/visitor';
import { Button } from '@/ui/button';
import { toast } from '@/ui/toast';
import { Box } from './facts';
import { communityQuery, type ProfileChange, type Reported } from './queries';
import { useStepUp } from './step-up';
import { SureDialog } from './sure-dialog';

/** Sends a decision and then refetches the list. */
function useDecision() {
  const client = useQueryClient();
  const stepUp = useStepUp();
  const [problem, setProblem] = useState<unknown>(null);
  const [isPending, setIsPending] = useState(false);
  const decide = async (send: () => Promise<unknown>, done: string) => {
    setProblem(null);
    setIsPending(true);
    try {
      await stepUp(send);
      void toast(done);
    } catch (error) {
      setProblem(error);
      if (!(error instanceof ApiError && [404, 409].includes(error.status))) return;
    } finally {
      setIsPending(false);
    }
    await client.invalidateQueries({ queryKey: communityQuery.queryKey });
  };
  return { decide, problem, isPending };
}

function Problem({ problem }: { problem: unknown }) {
  const textOf = useErrorText();
  if (problem === null) return null;
  return (
    <p role="alert" className="text-sm text-danger">
      {textOf(problem)}
    </p>
  );
}

export function Community() {
  const say = useModerateText();
  const { data } = useQuery(communityQuery);
  if (!data) return null;
  const { profiles, reported } = data;
  return (
    <section aria-labelledby="community" className="flex flex-col gap-4">
      <h2 id="community" className="text-lg font-semibold">
        {say('community')}
      </h2>
      {profiles.length + reported.length === 0 && <p className="text-muted">{say('empty')}</p>}
      <ul className="grid items-start gap-4 lg:grid-cols-2">
        {profiles.map((change) => (
          <li key={`${String(change.user_id)} ${change.kind}`}>
            <Profile change={change} />
          </li>
        ))}
        {reported.map((object) => (
          <li key={`${object.section} ${String(object.id)}`}>
            <Complaint object={object} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const VERDICTS = ['approve', 'reject'] as const;

function Profile({ change }: { change: ProfileChange }) {
  const say = useModerateText();
  const { lang } = useVisitor();
  const { decide, problem, isPending } = useDecision();
  const { user_id, username, revision, sent_at, picture, before } = change;
  const kind = change.kind as 'avatar' | 'cover' | 'texts';
  return (
    <Box title={`${say(`kind_${kind}`)}: ${username}`}>
      <p className="text-xs text-muted">{age(sent_at, lang)}</p>
      {picture && (
        <div className="flex flex-wrap gap-3">
          <Picture src={picture} label={say('new')} />
          {before && <Picture src={before} label={say('before')} />}
        </div>
      )}
      <Texts change={change} />
      <Problem problem={problem} />
      <div className="flex flex-wrap gap-2">
        {VERDICTS.map((verdict) => (
          <Button
            key={verdict}
            look={verdict === 'approve' ? 'primary' : 'plain'}
            disabled={isPending}
            onClick={() =>
              void decide(
                () => post('/api/moderate/profile', { user_id, kind, revision, verdict }),
                say(`done_${verdict}`, { name: username }),
              )
            }
          >
            {say(verdict)}
          </Button>
        ))}
        {kind !== 'texts' && (
          <Clear what={kind} id={user_id} decide={decide} isPending={isPending} />
        )}
      </div>
    </Box>
  );
}

function Picture({ src, label }: { src: string; label: string }) {
  return (
    <figure className="flex flex-col gap-1 text-xs text-muted">
      {/* The picture isn't cropped, because moderators must see all of it. */}
      <img
        src={src}
        alt={label}
        className="h-40 max-w-full rounded-control bg-raised object-contain"
      />
      <figcaption>{label}</figcaption>
    </figure>
  );
}

function Texts({ change: { texts } }: { change: ProfileChange }) {
  const say = useModerateText();
  const community = useCommunityText();
  if (texts.length === 0) return null;
  return (
    <dl className="flex flex-col gap-3 text-sm">
      {texts.map(({ field, text, before }) => (
        <div key={field}>
          <dt className="text-muted">
            {field === 'about' ? say('aboutMe') : community(field as 'interests')}
          </dt>
          <dd className="break-words whitespace-pre-line">{text}</dd>
          {before && (
            <dd className="break-words whitespace-pre-line text-muted line-through">{before}</dd>
          )}
        </div>
      ))}
    </dl>
  );
}

type What = 'avatar' | 'cover' | 'profile' | 'playlist' | 'comment' | 'wall';

/** Which parts of an object a moderator can remove. */
const CLEARED: Record<string, readonly What[]> = {
  user: ['avatar', 'cover', 'profile'],
  playlist: ['playlist'],
  comment: ['comment'],
  wall: ['wall'],
};

interface ClearProps {
  what: What;
  id: number;
  decide: ReturnType<typeof useDecision>['decide'];
  isPending: boolean;
}

function Clear({ what, id, decide, isPending }: ClearProps) {
  const say = useModerateText();
  const [isAsked, setIsAsked] = useState(false);
  const label = say(`clear_${what}`);
  return (
    <>
      <Button look="plain" disabled={isPending} onClick={() => setIsAsked(true)}>
        {label}
      </Button>
      {isAsked && (
        <SureDialog
          title={label}
          text={say('sureClear')}
          onSure={() => {
            void decide(() => post('/api/moderate/clear', { what, id }), say('done_clear'));
          }}
          onClose={() => setIsAsked(false)}
        />
      )}
    </>
  );
}

function Complaint({ object }: { object: Reported }) {
  const say = useModerateText();
  const textOf = useErrorText();
  const { decide, problem, isPending } = useDecision();
  const { section, id, said, is_hidden, username, avatar, cover, reports } = object;
  const first = reports[0]?.id ?? 0;
  const line = (name: string, text: ReactNode) => (
    <p className="break-words whitespace-pre-line">
      <span className="text-muted">{name} </span>
      {text}
    </p>
  );
  return (
    <Box title={`${say(`section_${section}` as 'section_comment')}: ${username ?? '—'}`}>
      {is_hidden && <p className="text-xs font-semibold text-danger">{say('hidden')}</p>}
      {said && (
        <blockquote className="border-s-2 border-line ps-3 text-sm break-words whitespace-pre-line">
          {said}
        </blockquote>
      )}
      {(avatar ?? cover) && (
        <div className="flex flex-wrap gap-3">
          {avatar && <Picture src={avatar} label={say('kind_avatar')} />}
          {cover && <Picture src={cover} label={say('kind_cover')} />}
        </div>
      )}
      <ul className="flex flex-col gap-2 text-sm">
        {reports.map((report) => (
          <li key={report.id}>
            <p className="font-semibold">
              {report.reason ? textOf({ code: `reason_${report.reason}` }, report.reason) : '—'}
            </p>
            {line(report.username ?? say('guest'), report.message)}
          </li>
        ))}
      </ul>
      <Problem problem={problem} />
      <div className="flex flex-wrap gap-2">
        {(CLEARED[section] ?? []).map((what) => (
          <Clear key={what} what={what} id={id} decide={decide} isPending={isPending} />
        ))}
        {(['resolve', 'reject'] as const).map((verdict) => (
          <Button
            key={verdict}
            look="plain"
            disabled={isPending}
            onClick={() =>
              void decide(
                () => post('/api/moderate/reports', { id: first, verdict }),
                say('done_reports', { number: reports.length }),
              )
            }
          >
            {say(`reports_${verdict}`)}
          </Button>
        ))}
      </div>
    </Box>
  );
}
