/** Who is looking: language, orientation and country, which every call depends on. */
import { createContext, use, useCallback, useMemo, useState, type ReactNode } from 'react';
import { changeLanguage } from '@/i18n';
import type { Boot, Gender, Lang } from './boot';
import { writeCookie, type CookieName } from './cookies';

interface Visitor {
  lang: Lang;
  gender: Gender;
  /** ISO 3166-1 alpha-2; where it is unknown, the one most likely for the language. */
  country: string;
  setLang: (lang: Lang) => void;
  setGender: (gender: Gender) => void;
}

const VisitorContext = createContext<Visitor | null>(null);

/** Keeps a choice; what a link asked for (`?lang=de`) ends with it. */
function choose(cookie: CookieName, parameter: string, value: string): void {
  writeCookie(cookie, value);
  const url = new URL(location.href);
  url.searchParams.delete(parameter);
  history.replaceState(history.state, '', url);
}

export function VisitorProvider({ boot, children }: { boot: Boot; children: ReactNode }) {
  const [lang, showLang] = useState(boot.lang);
  const [gender, showGender] = useState(boot.gender);
  const setLang = useCallback((next: Lang) => {
    choose('app_lang', 'lang', next);
    void changeLanguage(next).then(() => {
      showLang(next);
    });
  }, []);
  const setGender = useCallback((next: Gender) => {
    choose('gender', 'gender', next);
    showGender(next);
  }, []);
  const visitor = useMemo(
    () => ({ lang, gender, country: boot.country, setLang, setGender }),
    [lang, gender, boot.country, setLang, setGender],
  );
  return <VisitorContext value={visitor}>{children}</VisitorContext>;
}

export function useVisitor(): Visitor {
  const visitor = use(VisitorContext);
  if (!visitor) throw new Error('useVisitor outside VisitorProvider');
  return visitor;
}
