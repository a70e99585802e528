import type { ReactNode } from 'react';
import { languageName } from '@/lib/format';
import { useVisitor } from '@/lib/visitor';

interface Props {
  /** The text's language, which is unknown if an earlier version stored the text. */
  lang: string | undefined;
  children: ReactNode;
}

/** A text with its own language. If that isn't the visitor's language, a title names it. Screen readers use the right voice. */
export function LangText({ lang: own, children }: Props) {
  const { lang } = useVisitor();
  if (!own || own === lang) return children;
  return (
    <span lang={own} title={languageName(own, lang)} className="foreign">
      {children}
    </span>
  );
}
