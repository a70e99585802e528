/** Languages and orientations that a visitor can choose. */
export const LANGS = ['en', 'ru', 'de', 'fr', 'es', 'pl', 'it', 'pt', 'ja', 'nl'] as const;
export type Lang = (typeof LANGS)[number];
/** Each language's name in that language. The names are hard-coded, because loading the browser's table takes a phone some 50 ms. */
export const OWN_NAMES: Record<Lang, string> = {
  en: 'English',
  ru: 'Русский',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  pl: 'Polski',
  it: 'Italiano',
  pt: 'Português',
  ja: '日本語',
  nl: 'Nederlands',
};
export const GENDERS = ['str', 'she', 'gay'] as const;
export type Gender = (typeof GENDERS)[number];
