import type { ReactNode } from 'react';
import { languageName } from '@/lib/format';
import { useVisitor } from '@/lib/visitor';

interface Props {
  /** Language of the text; unknown if stored by an earlier version. */
  lang: string | undefined;
  children: ReactNode;
}

/** A text in its own language. If that isn't the visitor's, a label names it; screen readers use the right voice. */
export function LangText({ lang: own, children }: Props) {
  const { lang } = useVisitor();
  if (!own || own === lang) return children;
  return (
    <span lang={own} title={languageName(own, lang)} className="foreign">
      {children}
    </span>
  );
}
