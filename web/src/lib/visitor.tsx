/** Who is looking: language, orientation and country, which every call depends on. */
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { GENDERS, LANGS, type Gender, type Lang } from './audience';
import { changeLanguage } from '@/i18n';
import { requiredContext } from './context';
import { chosen, writeCookie, type CookieName } from './cookies';
import { useAddress } from './use-address';

interface Visitor {
  lang: Lang;
  gender: Gender;
  /** ISO 3166-1 alpha-2; where it is unknown, the one most likely for the language. */
  country: string;
  setLang: (lang: Lang) => void;
  setGender: (gender: Gender) => void;
}

const [VisitorContext, useVisitor] = requiredContext<Visitor>('useVisitor');
export { useVisitor };

/** Stores a choice; what a link requested (`?lang=de`) ends with it. */
function choose(cookie: CookieName, parameter: string, value: string): void {
  writeCookie(cookie, value);
  const url = new URL(location.href);
  url.searchParams.delete(parameter);
  history.replaceState(history.state, '', url);
}

interface Props extends Pick<Visitor, 'lang' | 'country'> {
  children: ReactNode;
}

/** `lang` is that of the first page. */
export function VisitorProvider({ lang: first, country, children }: Props) {
  const { search } = useAddress();
  const [lang, showLang] = useState(first);
  const [, redraw] = useState(0);
  // As the server reads them: what the address asks for, for as long as one is there, else what was chosen.
  const wanted = chosen(LANGS, search, 'lang', 'app_lang');
  const gender = chosen(GENDERS, search, 'gender', 'gender');
  useEffect(() => {
    if (wanted !== lang) {
      void changeLanguage(wanted).then(() => {
        showLang(wanted);
      });
    }
  }, [wanted, lang]);
  const visitor = useMemo(() => {
    const setter = (cookie: CookieName, parameter: string) => (value: string) => {
      choose(cookie, parameter, value);
      redraw((count) => count + 1);
    };
    return {
      lang,
      gender,
      country,
      setLang: setter('app_lang', 'lang'),
      setGender: setter('gender', 'gender'),
    };
  }, [lang, gender, country]);
  return <VisitorContext value={visitor}>{children}</VisitorContext>;
}
