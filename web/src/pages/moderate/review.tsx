/** Everything about an upload, with the form for the decision on it. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Waiting } from '@/shared/account/member-frame';
import { LoadError } from '@/ui/problem';
import { Captions } from './captions';
import { Facts } from './facts';
import { Film } from './film';
import { Likenesses } from './likenesses';
import { Performers } from './performers';
import type { ItemKey } from './order';
import { Pictures } from './pictures';
import { queueQuery, uploadQuery, type Staff } from './queries';
import { Verdict } from './verdict';
import { Versions } from './versions';

interface Props {
  item: ItemKey;
  staff: Staff;
  /** Called after a decision. */
  onDone: () => Promise<void>;
}

export function Review({ item, staff, onDone }: Props) {
  const client = useQueryClient();
  const query = uploadQuery(item);
  const { data, error, refetch } = useQuery(query);
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data) return <Waiting />;
  const refresh = () => client.invalidateQueries({ queryKey: query.queryKey });
  // An upload hidden by reports may be public again and then needs no decision.
  const refreshAll = async () => {
    await refresh();
    await client.invalidateQueries({ queryKey: queueQuery.queryKey });
  };
  return (
    <article aria-labelledby="reviewed" className="flex min-w-0 flex-col gap-6">
      <h2 id="reviewed" className="text-xl font-bold text-balance break-words">
        {data.upload.title}
      </h2>
      {data.upload.section === 'album' ? <Pictures upload={data} /> : <Film upload={data} />}
      <Versions upload={data} />
      <Likenesses upload={data} />
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          <Facts upload={data} onDone={refreshAll} />
          <Captions upload={data} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <Verdict upload={data} staff={staff} onDone={onDone} onStale={refresh} />
          <Performers upload={data} staff={staff} onDone={refreshAll} />
        </div>
      </div>
    </article>
  );
}
