/** Translation: one JSON a language, loaded when it is asked for. */
import i18next, { type TFunction } from 'i18next';
import { useSyncExternalStore } from 'react';
import type en from './common/en.json';
import type { Lang } from '@/lib/audience';

const files = import.meta.glob<typeof en>('./common/*.json', { import: 'default' });

async function load(lang: Lang): Promise<void> {
  if (i18next.hasResourceBundle(lang, 'translation')) return;
  const file = files[`./common/${lang}.json`];
  if (!file) throw new Error(`no texts for ${lang}`);
  i18next.addResourceBundle(lang, 'translation', await file());
}

export async function startI18n(lang: Lang): Promise<void> {
  await i18next.init({
    // Every language is complete (tested), so nothing is ever borrowed from another.
    fallbackLng: false,
    resources: {},
    interpolation: { escapeValue: false },
  });
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

/** The texts of the language in force; components draw again when it changes. */
export function useT(): TFunction {
  useSyncExternalStore(subscribe, () => i18next.language);
  return i18next.t;
}
