/** A combobox's listbox. The focus stays in the input, and aria-activedescendant refers to the active option. */
import { cn } from '@/lib/cn';
import { Named } from '@/ui/named';
import type { PickOption } from './details';

interface Props {
  id: string;
  label: string;
  options: readonly PickOption[];
  active: number;
  onChoose: (option: PickOption) => void;
}

export function PickList({ id, label, options, active, onChoose }: Props) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label={label}
      hidden={options.length === 0}
      className="absolute inset-x-0 top-full z-20 mt-1 max-h-64 overflow-y-auto rounded-card border border-line bg-surface p-2 shadow-pop"
    >
      {options.map((option, index) => (
        // Options are never focused. The keyboard operates them through the input (aria-activedescendant).
        // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
        <div
          key={option.dir}
          id={`${id}-${String(index)}`}
          role="option"
          aria-selected={index === active}
          ref={(node) => {
            if (index === active) node?.scrollIntoView({ block: 'nearest' });
          }}
          onPointerDown={(event) => {
            event.preventDefault(); // the box keeps its focus
          }}
          onClick={() => onChoose(option)}
          className={cn(
            'flex min-h-10 cursor-pointer items-center rounded-control px-3 py-2 text-sm',
            index === active ? 'bg-hover' : 'hover:bg-raised',
          )}
        >
          <Named title={option.title} detail={option.detail} />
        </div>
      ))}
    </div>
  );
}
