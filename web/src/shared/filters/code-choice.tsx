import { useT } from '@/i18n';
import { cn } from '@/lib/cn';
import { Choice } from './filter-group';

const ANY = '';

interface Props {
  title: string;
  items: readonly { value: string; total: number }[];
  chosen: string | undefined;
  text: (value: string) => string;
  /** More values than this scroll. */
  most?: number;
  onChange: (value: string | null) => void;
}

/** One of the codes that the answer counts, or any. */
export function CodeChoice({ title, items, chosen = ANY, text, most = 0, onChange }: Props) {
  const t = useT();
  const values = items.map(({ value }) => value);
  // A chosen value that nobody has any more must still be there to be let go.
  if (chosen && !values.includes(chosen)) values.unshift(chosen);
  if (values.length === 0) return null;
  return (
    <div
      className={cn(
        values.length > most &&
          '[&_fieldset>div]:-mx-2 [&_fieldset>div]:max-h-72 [&_fieldset>div]:overflow-y-auto [&_fieldset>div]:px-2',
      )}
    >
      <Choice
        title={title}
        values={[ANY, ...values]}
        current={chosen}
        text={(value) => (value ? text(value) : t('filter.any'))}
        total={(value) => items.find((item) => item.value === value)?.total}
        onChange={(value) => {
          onChange(value || null);
        }}
      />
    </div>
  );
}
