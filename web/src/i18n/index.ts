/** Texts of every page, in the namespace `common`; others come with the screens that need them (`namespace.ts`). */
import i18next, { type TFunction } from 'i18next';
import { useSyncExternalStore } from 'react';
import type { Lang } from '@/lib/audience';
import { loader } from './loader';

const load = loader(
  'common',
  import.meta.glob<object>('./common/*.json', { base: '../../../config/texts', import: 'default' }),
);

export async function startI18n(lang: Lang): Promise<void> {
  if (!i18next.isInitialized) {
    await i18next.init({
      // Every language is complete (tested), so nothing is ever borrowed from another.
      fallbackLng: false,
      defaultNS: 'common',
      ns: [],
      resources: {},
      interpolation: { escapeValue: false },
    });
  }
  await changeLanguage(lang);
}

/** Switches texts and `<html lang>`, once the new texts are here. */
export async function changeLanguage(lang: Lang): Promise<void> {
  await load(lang);
  await i18next.changeLanguage(lang);
  document.documentElement.lang = lang;
}

const subscribe = (listener: () => void) => {
  i18next.on('languageChanged', listener);
  return () => {
    i18next.off('languageChanged', listener);
  };
};

/** The texts of the language in force; components render again when it changes. */
export function useT(): TFunction {
  useSyncExternalStore(subscribe, () => i18next.language);
  return i18next.t;
}
