/** What tells a list from its siblings, as the server says it (`api/src/page/describe/mod.rs`). */
import { useT } from '@/i18n';
import { useVisitor } from './visitor';

/** The name, an order that isn't the usual one, an orientation that isn't the first. */
export const useListName = (name: string, order?: string | false): string => {
  const t = useT();
  const { gender } = useVisitor();
  return [name, order, gender !== 'str' && t(`gender.${gender}`)].filter(Boolean).join(' – ');
};
