import { useT } from '@/i18n';
import { Icon } from '@/ui/icons';

export interface ChipItem {
  key: string;
  label: string;
  /** Whether it was chosen, but dropped because nothing matches it. */
  unapplied?: boolean;
  remove: () => void;
}

/** The active filters, each of which can be removed. */
export function Chips({ items, onClear }: { items: ChipItem[]; onClear: () => void }) {
  const t = useT();
  if (items.length === 0) return null;
  return (
    <ul aria-label={t('filter.active')} className="flex flex-wrap items-center gap-2">
      {items.map(({ key, label, unapplied, remove }) => (
        <li key={key}>
          <button
            type="button"
            onClick={remove}
            aria-label={t('filter.remove', {
              name: unapplied ? t('filter.unapplied', { name: label }) : label,
            })}
            className="touch flex h-8 items-center gap-1.5 rounded-full bg-accent-soft ps-3 pe-2 text-sm font-medium text-accent transition-colors hover:bg-hover"
          >
            {unapplied ? <s>{label}</s> : label}
            <Icon name="close" size={14} />
          </button>
        </li>
      ))}
      <li>
        <button
          type="button"
          onClick={onClear}
          className="touch h-8 px-2 text-sm font-medium text-muted underline-offset-4 hover:text-ink hover:underline"
        >
          {t('filter.clear')}
        </button>
      </li>
    </ul>
  );
}
