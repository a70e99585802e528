/** Texts for every page, in the namespace `common`. Other texts load with the screens that need them (`namespace.ts`). */
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
      // No fallback is needed, because a test checks that every language is complete.
      fallbackLng: false,
      defaultNS: 'common',
      ns: [],
      resources: {},
      interpolation: { escapeValue: false },
    });
  }
  await changeLanguage(lang);
}

/** Switches texts and `<html lang>` once the new texts are loaded. */
export async function changeLanguage(lang: Lang): Promise<void> {
  await load(lang);
  await i18next.changeLanguage(lang);
  document.documentElement.lang = lang;
}

const subscribe = (listener: () => void) => {
  i18next.on('languageChanged', listener);
  return () => i18next.off('languageChanged', listener);
};

/** Returns the translation function for the current language, and re-renders when the language changes. */
export function useT(): TFunction {
  useSyncExternalStore(subscribe, () => i18next.language);
  return i18next.t;
}
