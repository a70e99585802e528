/** The queue, next to it the upload under review, and other items that await a decision. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useModerateText } from '@/i18n/moderate';
import { Waiting } from '@/shared/account/member-frame';
import { useKeysOn } from '@/shared/keys/keys';
import { LoadError } from '@/ui/problem';
import { Community } from './community';
import { quarantineQuery, queueQuery, staffQuery, type Staff } from './queries';
import { keyOf, neighbour, type ItemKey } from './order';
import { Quarantine } from './quarantine';
import { Queue } from './queue';
import { Review } from './review';
import { StepUpProvider } from './step-up';
import { useDeskKeys } from './use-desk-keys';

interface Props {
  staff: Staff;
  /** The upload that the address names. */
  named: ItemKey | null;
}

export function Desk({ staff, named }: Props) {
  const say = useModerateText();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(queueQuery);
  const [chosen, setChosen] = useState<string | null>(null);
  const uploads = data?.uploads ?? [];
  const listed = uploads.find((item) => keyOf(item) === chosen);
  const current: ItemKey | undefined = listed ?? (chosen === null ? named : null) ?? uploads[0];
  const move = useCallback(
    (by: number) => setChosen(neighbour(data?.uploads ?? [], chosen, by)),
    [data, chosen],
  );
  useDeskKeys(move);
  const areKeysOn = useKeysOn();
  if (error && !data) {
    // The session's second factor may have expired.
    const retry = async () => {
      await client.invalidateQueries({ queryKey: staffQuery.queryKey });
      await refetch();
    };
    return <LoadError error={error} onRetry={() => void retry()} />;
  }
  if (!data) return <Waiting />;
  return (
    <StepUpProvider>
      <div className="flex flex-col gap-4">
        {areKeysOn && <p className="text-xs text-muted max-md:hidden">{say('keys')}</p>}
        <div className="grid items-start gap-6 lg:grid-cols-[20rem_1fr]">
          <div className="flex min-w-0 flex-col gap-6">
            <Queue uploads={uploads} current={current} onChoose={setChosen} />
            <Quarantine />
          </div>
          {current && (
            <Review
              key={keyOf(current)}
              item={current}
              staff={staff}
              onDone={async () => {
                setChosen(neighbour(uploads, keyOf(current), 1) ?? '');
                await client.invalidateQueries({ queryKey: queueQuery.queryKey });
                await client.invalidateQueries({ queryKey: quarantineQuery.queryKey });
              }}
            />
          )}
        </div>
        <Community />
      </div>
    </StepUpProvider>
  );
}
