/** Distinguishes a list's title from similar ones in the same way as the server (`site/src/describe/mod.rs`). */
import { useT } from '@/i18n';
import { useVisitor } from './visitor';

/** Joins the name with the sort order and the orientation, if these are not the default. */
export const useListName = (name: string, order?: string | false): string => {
  const t = useT();
  const { gender } = useVisitor();
  return [name, order, gender !== 'str' && t(`gender.${gender}`)].filter(Boolean).join(' – ');
};
