import { useT } from '@/i18n';
import { Choice } from './filter-group';

const ANY = '';

interface Props {
  title: string;
  items: readonly { value: string; total: number }[];
  chosen: string | undefined;
  text: (value: string) => string;
  /** How many options are shown at first. By default, all are shown. */
  most?: number;
  onChange: (value: string | null) => void;
}

/** A choice between the counted codes, or any of them. */
export function CodeChoice({ title, items, chosen = ANY, text, most, onChange }: Props) {
  const t = useT();
  const values = items.map(({ value }) => value);
  // A chosen value that has no matches must still be removable.
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
      onChange={(value) => onChange(value || null)}
    />
  );
}
