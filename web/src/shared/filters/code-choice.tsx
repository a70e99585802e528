import { useT } from '@/i18n';
import { Choice } from './filter-group';

const ANY = '';

interface Props {
  title: string;
  items: readonly { value: string; total: number }[];
  chosen: string | undefined;
  text: (value: string) => string;
  /** So many are shown at first; left out, all. */
  most?: number;
  onChange: (value: string | null) => void;
}

/** One of the codes that the answer counts, or any. */
export function CodeChoice({ title, items, chosen = ANY, text, most, onChange }: Props) {
  const t = useT();
  const values = items.map(({ value }) => value);
  // A chosen value that nobody has any more must still be there to be let go.
  if (chosen && !values.includes(chosen)) values.unshift(chosen);
  if (values.length === 0) return null;
  return (
    <Choice
      title={title}
      values={[ANY, ...values]}
      {...(most !== undefined && { most: most + 1 })}
      current={chosen}
      text={(value) => (value ? text(value) : t('filter.any'))}
      total={(value) => items.find((item) => item.value === value)?.total}
      onChange={(value) => {
        onChange(value || null);
      }}
    />
  );
}
