/** Messages: the list of conversations and, next to it, the open one. On a phone, the open one replaces the list. */
import { Panel } from '@/ui/problem';
import { useAddress } from '@/lib/use-address';
import { cn } from '@/lib/cn';
import { isId } from '@/search/addresses';
import { useMemberText } from '@/i18n/member';
import { Conversations } from './conversations';
import { Conversation } from './conversation';

export default function Messages() {
  const say = useMemberText();
  const { search } = useAddress();
  const partner = new URLSearchParams(search).get('with') ?? undefined;
  const current = isId(partner) ? Number(partner) : null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <section
        aria-label={say('conversations')}
        className={cn(current !== null && 'hidden lg:block')}
      >
        <Conversations current={current} />
      </section>
      {current ? (
        <Conversation key={current} id={current} />
      ) : (
        <div className="hidden rounded-card border border-line lg:block">
          <Panel title={say('pick')} />
        </div>
      )}
    </div>
  );
}
