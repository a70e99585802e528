import type { PointerEvent } from 'react';
import { useT } from '@/i18n';
import { Icon } from '@/ui/icons';
import type { Option } from './options';

interface Props {
  options: Option[];
  /** Removes one recent search, or all of them if the argument is null. */
  onForget: (text: string | null) => void;
}

/** A listbox may not contain buttons, so these are laid over the rows of the first group. */
export default function Forget({ options, onForget }: Props) {
  const t = useT();
  const forget = (text: string | null) => ({
    type: 'button' as const,
    onPointerDown: (event: PointerEvent) => {
      event.preventDefault(); // the box keeps its focus
    },
    onClick: () => onForget(text),
  });
  return (
    <div className="absolute end-2 top-2 flex flex-col items-end">
      <button
        {...forget(null)}
        aria-label={t('suggest.forgetAllName')}
        className="touch h-8 rounded-control px-3 text-xs font-semibold text-muted hover:text-ink"
      >
        {t('suggest.forgetAll')}
      </button>
      {options.map(({ key, query }) => (
        <button
          {...forget(query)}
          key={key}
          aria-label={t('suggest.forget', { text: query ?? '' })}
          className="grid size-11 place-items-center rounded-control text-muted hover:text-ink"
        >
          <Icon name="close" size={16} />
        </button>
      ))}
    </div>
  );
}
