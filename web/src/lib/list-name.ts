/** Distinguishes a list's title from similar ones in the same way as the server (`api/src/page/describe/mod.rs`). */
import { useT } from '@/i18n';
import { useVisitor } from './visitor';

/** Joins the name, a non-default sort order and a non-default orientation. */
export const useListName = (name: string, order?: string | false): string => {
  const t = useT();
  const { gender } = useVisitor();
  return [name, order, gender !== 'str' && t(`gender.${gender}`)].filter(Boolean).join(' – ');
};
