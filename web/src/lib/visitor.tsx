/** Who is looking: language, orientation and country, which every call depends on. */
import { createContext, use, useCallback, useMemo, useState, type ReactNode } from 'react';
import { changeLanguage } from '@/i18n';
import { readGender, type Boot, type Gender, type Lang } from './boot';
import { writeCookie } from './cookies';

interface Visitor {
  lang: Lang;
  gender: Gender;
  /** ISO 3166-1 alpha-2; where it is unknown, the one most likely for the language. */
  country: string;
  setLang: (lang: Lang) => void;
  setGender: (gender: Gender) => void;
}

const LIKELY_COUNTRY: Record<Lang, string> = {
  en: 'US',
  ru: 'RU',
  de: 'DE',
  fr: 'FR',
  es: 'ES',
  pl: 'PL',
  it: 'IT',
  pt: 'BR',
  ja: 'JP',
  nl: 'NL',
};

const VisitorContext = createContext<Visitor | null>(null);

export function VisitorProvider({ boot, children }: { boot: Boot; children: ReactNode }) {
  const [lang, showLang] = useState(boot.lang);
  const [gender, showGender] = useState(readGender);
  const setLang = useCallback((next: Lang) => {
    writeCookie('app_lang', next);
    void changeLanguage(next).then(() => {
      showLang(next);
    });
  }, []);
  const setGender = useCallback((next: Gender) => {
    writeCookie('gender', next);
    showGender(next);
  }, []);
  const visitor = useMemo(
    () => ({ lang, gender, country: boot.country ?? LIKELY_COUNTRY[lang], setLang, setGender }),
    [lang, gender, boot.country, setLang, setGender],
  );
  return <VisitorContext value={visitor}>{children}</VisitorContext>;
}

export function useVisitor(): Visitor {
  const visitor = use(VisitorContext);
  if (!visitor) throw new Error('useVisitor outside VisitorProvider');
  return visitor;
}
