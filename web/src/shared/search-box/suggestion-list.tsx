import { useT } from '@/i18n';
import { cn } from '@/lib/cn';
import { abbreviate } from '@/lib/format';
import { useVisitor } from '@/lib/visitor';
import { deferred } from '@/lib/deferred';
import { Icon, type IconName } from '@/ui/icons';
import { Named } from '@/ui/named';
import type { Group, GroupName, Option } from './options';

const Forget = deferred(() => import('./forget'));

const ICONS: Record<GroupName, IconName> = {
  recent: 'clock',
  hot: 'up',
  query: 'search',
  category: 'filter',
  model: 'eye',
  video: 'right',
};

/** An option's picture, which is round for models. Without one, a placeholder is shown. */
function Mark({ name, thumb }: { name: GroupName; thumb: Option['thumb'] }) {
  if (thumb === null)
    return (
      <span className="text-muted">
        <Icon name={ICONS[name]} size={16} />
      </span>
    );
  return (
    <span
      className={cn(
        'grid h-9 shrink-0 place-items-center overflow-hidden bg-raised text-muted',
        name === 'model' ? 'w-9 rounded-full' : 'w-16 rounded-control',
      )}
    >
      {thumb ? (
        <img
          src={thumb}
          alt=""
          loading="lazy"
          decoding="async"
          className="size-full object-cover"
        />
      ) : (
        <Icon name={ICONS[name]} size={16} />
      )}
    </span>
  );
}

interface Props {
  id: string;
  groups: Group[];
  /** The active option's index across all groups, or -1 for none. */
  active: number;
  onChoose: (option: Option) => void;
  /** Removes one recent search, or all of them if the argument is null. */
  onForget: (text: string | null) => void;
}

/** Returns how many options come before a group, because arrow keys count through all of them. */
const countBefore = (groups: Group[], place: number): number =>
  groups.slice(0, place).reduce((sum, { options }) => sum + options.length, 0);

/** The search box's listbox. The focus stays in the input, and aria-activedescendant refers to the active option. */
export default function SuggestionList({ id, groups, active, onChoose, onForget }: Props) {
  const t = useT();
  const { lang } = useVisitor();
  const [first] = groups;
  const isRecent = first?.name === 'recent';
  // The buttons over the first group scroll with it. Only without buttons does the listbox itself scroll.
  const scrolls = 'max-h-[70dvh] overflow-y-auto';
  return (
    <div
      hidden={groups.length === 0}
      className={cn(
        'absolute inset-x-0 top-full z-40 mt-2 rounded-card border border-line bg-surface p-2 shadow-pop',
        isRecent && scrolls,
      )}
    >
      <div
        id={id}
        role="listbox"
        aria-label={t('search.suggestions')}
        className={cn(!isRecent && scrolls)}
      >
        {groups.map((group, place) => (
          <div key={group.name} role="group" aria-labelledby={`${id}-${group.name}`}>
            <div
              id={`${id}-${group.name}`}
              role="presentation"
              className="h-8 px-3 pt-2 text-xs font-semibold text-muted"
            >
              {t(`suggest.${group.name}`)}
            </div>
            {group.options.map((option, number) => {
              const index = number + countBefore(groups, place);
              const selected = index === active;
              return (
                // Options are never focused. The keyboard operates them through the input (aria-activedescendant).
                // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
                <div
                  key={option.key}
                  id={`${id}-${String(index)}`}
                  role="option"
                  aria-selected={selected}
                  ref={(node) => {
                    if (selected) node?.scrollIntoView({ block: 'nearest' });
                  }}
                  onPointerDown={(event) => {
                    event.preventDefault(); // the box keeps its focus
                  }}
                  onClick={() => onChoose(option)}
                  className={cn(
                    'flex h-11 cursor-pointer items-center gap-3 rounded-control px-3 text-sm',
                    selected ? 'bg-hover' : 'hover:bg-raised',
                    group.name === 'recent' && 'pe-12',
                  )}
                >
                  <Mark name={group.name} thumb={option.thumb} />
                  <span lang={option.lang} className="min-w-0 flex-1 truncate">
                    {option.parts.map((part, key) =>
                      part.marked ? <mark key={key}>{part.text}</mark> : part.text,
                    )}
                    <Named title="" detail={option.detail} />
                  </span>
                  {option.total !== null && option.total > 0 && (
                    <span className="text-xs text-muted tabular-nums">
                      {abbreviate(option.total, lang)}
                    </span>
                  )}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      {isRecent && <Forget options={first.options} onForget={onForget} />}
    </div>
  );
}
