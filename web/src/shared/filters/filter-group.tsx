import { useId, useState, type ReactNode } from 'react';
import { useT } from '@/i18n';
import { cn } from '@/lib/cn';
import { formatNumber } from '@/lib/format';
import { useVisitor } from '@/lib/visitor';

/** A section of the rail with a title. */
export function FilterGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="border-t border-line pt-4 first:border-t-0 first:pt-0">
      <legend className="float-start mb-2 text-sm font-semibold">{title}</legend>
      <div className="clear-both">{children}</div>
    </fieldset>
  );
}

interface RowProps {
  type: 'checkbox' | 'radio';
  name: string;
  checked: boolean;
  disabled?: boolean;
  label: ReactNode;
  /** The number of matches, which is left out if it is unknown. */
  total?: number | undefined;
  onChange: () => void;
}

export function FilterRow({ type, name, checked, disabled, label, total, onChange }: RowProps) {
  const { lang } = useVisitor();
  return (
    <label
      className={cn(
        '-mx-2 flex min-h-11 flex-1 items-center gap-3 rounded-control px-2 text-sm transition-colors lg:min-h-8',
        disabled ? 'cursor-not-allowed opacity-45' : 'hover:bg-raised',
        checked && 'font-medium text-accent',
      )}
    >
      <input
        type={type}
        name={name}
        checked={checked}
        disabled={disabled}
        onChange={onChange}
        className="size-4 shrink-0"
      />
      <span className="min-w-0 flex-1 py-1">{label}</span>
      {total !== undefined && (
        <span className="text-xs text-muted tabular-nums">{formatNumber(total, lang)}</span>
      )}
    </label>
  );
}

interface RowsProps<Item> {
  items: readonly Item[];
  /** How many items are shown at first. */
  most: number;
  /** Whether an item is always shown. */
  isKept?: (item: Item) => boolean;
  children: (item: Item) => ReactNode;
}

/** The first rows of a list and a button for more, because a nested scroll area would capture the mouse wheel. */
export function Rows<Item>({ items, most, isKept, children }: RowsProps<Item>) {
  const t = useT();
  const [isWhole, setWhole] = useState(false);
  const shown = items.filter((item, index) => isWhole || index < most || isKept?.(item));
  return (
    <>
      {shown.map(children)}
      {items.length > most && (
        <button
          type="button"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
          className="touch min-h-8 text-sm font-medium text-accent underline-offset-4 hover:underline"
        >
          {t(isWhole ? 'filter.fewer' : 'filter.more')}
        </button>
      )}
    </>
  );
}

interface ChoiceProps<Value extends string> {
  title: string;
  values: readonly Value[];
  current: Value;
  text: (value: Value) => string;
  total?: ((value: Value) => number | undefined) | undefined;
  /** How many options are shown at first. By default, all are shown. */
  most?: number;
  onChange: (value: Value) => void;
}

/** A choice between several values, as radio buttons. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { title, values, current, text, total, most = values.length, onChange } = props;
  const name = useId();
  return (
    <FilterGroup title={title}>
      <Rows items={values} most={most} isKept={(value) => value === current}>
        {(value) => (
          <FilterRow
            key={value}
            type="radio"
            name={name}
            checked={value === current}
            label={text(value)}
            total={total?.(value)}
            onChange={() => onChange(value)}
          />
        )}
      </Rows>
    </FilterGroup>
  );
}
