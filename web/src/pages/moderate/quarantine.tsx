/** Uploads that were taken down. A moderator other than the one who took them down can restore them. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { post } from '@/api/client';
import { UPLOAD_STATUS } from '@/api/status';
import { useErrorText } from '@/i18n/errors';
import { useModerateText } from '@/i18n/moderate';
import { fullDate } from '@/lib/format';
import { useVisitor } from '@/lib/visitor';
import { Button } from '@/ui/button';
import { LoadError } from '@/ui/problem';
import { toast } from '@/ui/toast';
import { keyOf } from './order';
import { quarantineQuery, queueQuery, type Quarantined } from './queries';
import { useStepUp } from './step-up';

export function Quarantine() {
  const say = useModerateText();
  const { data, error, refetch } = useQuery(quarantineQuery);
  return (
    <section aria-labelledby="quarantine" className="flex min-w-0 flex-col gap-2">
      <h2 id="quarantine" className="text-lg font-semibold">
        {say('quarantine')}
      </h2>
      {error && !data && <LoadError error={error} onRetry={() => void refetch()} />}
      {data?.objects.length === 0 && <p className="text-muted">{say('quarantineEmpty')}</p>}
      <ul className="flex max-h-72 flex-col gap-3 overflow-y-auto">
        {data?.objects.map((object) => (
          <li key={keyOf(object)}>
            <Row object={object} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Row({ object }: { object: Quarantined }) {
  const say = useModerateText();
  const textOf = useErrorText();
  const client = useQueryClient();
  const stepUp = useStepUp();
  const { lang } = useVisitor();
  const [problem, setProblem] = useState<unknown>(null);
  const [isPending, setIsPending] = useState(false);
  const { id, title, moderator, taken_down_at, until, may_restore } = object;
  const restore = async () => {
    setProblem(null);
    setIsPending(true);
    try {
      const section = object.section as 'video' | 'album';
      const { status_id } = await stepUp(() => post('/api/moderate/restore', { section, id }));
      const name = { name: title };
      void toast(
        say(status_id === UPLOAD_STATUS.inReview ? 'done_restoreWaits' : 'done_restore', name),
      );
      await client.invalidateQueries({ queryKey: quarantineQuery.queryKey });
      await client.invalidateQueries({ queryKey: queueQuery.queryKey });
    } catch (error) {
      setProblem(error);
    } finally {
      setIsPending(false);
    }
  };
  return (
    <div className="flex flex-col gap-1 text-sm">
      <p className="font-semibold break-words">{title}</p>
      <p className="text-xs text-muted">
        {say('takenDownBy', {
          date: fullDate(taken_down_at, lang),
          name: moderator ?? say('operator'),
        })}
      </p>
      <p className="text-xs text-muted">
        {may_restore ? say('restorable', { date: fullDate(until, lang) }) : say('anotherRestores')}
      </p>
      {problem !== null && (
        <p role="alert" className="text-danger">
          {textOf(problem)}
        </p>
      )}
      {may_restore && (
        <Button
          look="plain"
          className="self-start"
          disabled={isPending}
          onClick={() => void restore()}
        >
          {say('restore')}
        </Button>
      )}
    </div>
  );
}
