import type { ReactNode } from 'react';
import { languageName } from '@/lib/format';
import { useVisitor } from '@/lib/visitor';

interface Props {
  /** Language of the text; unknown of what an earlier version stored. */
  lang: string | undefined;
  children: ReactNode;
}

/** A text in its language. A mark says which it is where that isn't the visitor's; screen readers hear it in its own voice. */
export function LangText({ lang: own, children }: Props) {
  const { lang } = useVisitor();
  if (!own || own === lang) return children;
  return (
    <span lang={own} title={languageName(own, lang)} className="foreign">
      {children}
    </span>
  );
}
