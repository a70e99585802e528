/** What a visitor may choose: languages and orientations. */
export const LANGS = ['en', 'ru', 'de', 'fr', 'es', 'pl', 'it', 'pt', 'ja', 'nl'] as const;
export type Lang = (typeof LANGS)[number];
/** Each in itself. Written down, because the browser's own table takes a phone some 50 ms to open. */
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
