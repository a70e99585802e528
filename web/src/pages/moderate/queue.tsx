/** Uploads in review, with the most urgent first. */
import { useModerateText } from '@/i18n/moderate';
import { cn } from '@/lib/cn';
import { age } from '@/lib/format';
import { useVisitor } from '@/lib/visitor';
import { keyOf, type ItemKey } from './order';
import type { Item } from './queries';

interface Props {
  uploads: readonly Item[];
  current: ItemKey | undefined;
  onChoose: (key: string) => void;
}

export function Queue({ uploads, current, onChoose }: Props) {
  const say = useModerateText();
  return (
    <section aria-labelledby="queue" className="flex min-w-0 flex-col gap-2">
      <h2 id="queue" className="text-lg font-semibold">
        {say('queue')}
      </h2>
      {uploads.length === 0 && <p className="text-muted">{say('empty')}</p>}
      <ul className="flex max-h-72 flex-col gap-1 overflow-y-auto lg:max-h-[75dvh]">
        {uploads.map((item) => (
          <li key={keyOf(item)}>
            <Row
              item={item}
              isCurrent={current !== undefined && keyOf(item) === keyOf(current)}
              onChoose={() => onChoose(keyOf(item))}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Row({
  item,
  isCurrent,
  onChoose,
}: {
  item: Item;
  isCurrent: boolean;
  onChoose: () => void;
}) {
  const say = useModerateText();
  const { lang } = useVisitor();
  const {
    title,
    username,
    created_at,
    thumb,
    has_terms,
    reports,
    is_urgent,
    like,
    is_like_banned,
    replaces,
  } = item;
  return (
    <button
      type="button"
      aria-current={isCurrent}
      onClick={onChoose}
      className={cn(
        'flex w-full items-center gap-3 rounded-control border border-transparent p-2 text-start hover:bg-hover',
        isCurrent && 'border-accent bg-raised',
      )}
    >
      <span className="aspect-video w-24 shrink-0 overflow-hidden rounded-control bg-raised">
        {thumb && <img src={thumb} alt="" loading="lazy" className="size-full object-cover" />}
      </span>
      <span className="flex min-w-0 flex-col text-sm">
        <span className="truncate font-semibold">{title}</span>
        <span className="truncate text-xs text-muted">
          {username ?? '—'} · {age(created_at, lang)}
        </span>
        {replaces !== null && (
          <span className="text-xs font-semibold text-accent">
            {say('replaces', { id: replaces })}
          </span>
        )}
        {is_urgent && <span className="text-xs font-semibold text-danger">{say('urgent')}</span>}
        {is_like_banned && (
          <span className="text-xs font-semibold text-danger">{say('likeBanned')}</span>
        )}
        {has_terms && <span className="text-xs font-semibold text-danger">{say('terms')}</span>}
        {like > 0 && (
          <span className="text-xs font-semibold text-danger">{say('like', { number: like })}</span>
        )}
        {reports > 0 && (
          <span className="text-xs font-semibold text-danger">
            {say('reports', { number: reports })}
          </span>
        )}
      </span>
    </button>
  );
}
