/** The visitor's language, orientation and country, which every call depends on. */
import {
  startTransition,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
  type ReactNode,
} from 'react';
import { Router } from 'wouter';
import { GENDERS, LANGS, type Gender, type Lang } from './audience';
import { changeLanguage } from '@/i18n';
import { requiredContext } from './context';
import { chosen, writeCookie } from './cookies';
import { isOneOf, oneOf } from './one-of';
import { withOrientation } from './oriented';
import { useAddress } from './use-address';

interface Visitor {
  lang: Lang;
  /** The requested language. It differs from `lang` until the page is ready in that language. */
  wanted: Lang;
  gender: Gender;
  /** The country that the charts are for, ISO 3166-1 alpha-2: the chosen one, else the visitor's, else the most likely for the language. */
  country: string;
  setLang: (lang: Lang) => void;
  setGender: (gender: Gender) => void;
  setCountry: (country: string) => void;
}

const [VisitorContext, useVisitor] = requiredContext<Visitor>('useVisitor');
export { useVisitor };

const replaceAddress = (url: string | URL): void => history.replaceState(history.state, '', url);

/** Stores a language. This overrides a language set by a link (`?lang=de`). */
function chooseLang(lang: Lang): void {
  writeCookie('app_lang', lang);
  const url = new URL(location.href);
  url.searchParams.delete('lang');
  replaceAddress(url);
}

const addressFor = (gender: Gender): string =>
  withOrientation(location.pathname + location.search, gender) + location.hash;

function chooseGender(gender: Gender): void {
  writeCookie('gender', gender);
  replaceAddress(addressFor(gender));
}

/** The orientation: the address's, else that of the last address that had one, else the stored choice. */
function useGender() {
  const { pathname, search } = useAddress();
  const [gender, showGender] = useState(() => chosen(GENDERS, search, 'gender', 'gender'));
  const linked = oneOf(GENDERS, new URLSearchParams(search).get('gender'), null);
  if (linked && linked !== gender) showGender(linked);
  // Update the orientation before anything requests data for this address.
  useLayoutEffect(() => {
    const address = addressFor(gender);
    if (address !== pathname + search + location.hash) replaceAddress(address);
  }, [pathname, search, gender]);
  return [gender, showGender] as const;
}

/** Returns the language for an address as the server chooses it. Without a choice, this is the one that the browser prefers. */
export function chosenLang(search: string): Lang {
  const primary = navigator.languages.map((tag) => tag.replace(/-.*/s, '').toLowerCase());
  const preferred = primary.find((tag) => isOneOf(LANGS, tag));
  return chosen(LANGS, search, 'lang', 'app_lang', preferred);
}

interface Props extends Pick<Visitor, 'lang' | 'country'> {
  children: ReactNode;
}

/** `lang` is the language of the first page. */
export function VisitorProvider({ lang: first, country: firstCountry, children }: Props) {
  const { search } = useAddress();
  const [lang, showLang] = useState(first);
  const [country, showCountry] = useState(firstCountry);
  const [, redraw] = useState(0);
  const wanted = chosenLang(search);
  const [gender, showGender] = useGender();
  useEffect(() => {
    if (wanted !== lang) {
      void changeLanguage(wanted).then(() => {
        // Keeps the current page until all texts of the new language are loaded.
        startTransition(() => showLang(wanted));
      });
    }
  }, [wanted, lang]);
  const visitor = useMemo(
    () => ({
      lang,
      wanted,
      gender,
      country,
      setLang: (value: Lang) => {
        chooseLang(value);
        redraw((count) => count + 1);
      },
      setGender: (value: Gender) => {
        chooseGender(value);
        showGender(value);
      },
      setCountry: (value: string) => {
        writeCookie('chart_country', value);
        showCountry(value);
      },
    }),
    [lang, wanted, gender, country, showGender],
  );
  // A link that is copied or opened in a new window leads to the same list.
  const hrefs = useCallback((href: string) => withOrientation(href, gender), [gender]);
  return (
    <VisitorContext value={visitor}>
      <Router hrefs={hrefs}>{children}</Router>
    </VisitorContext>
  );
}
