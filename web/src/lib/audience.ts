/** What a visitor may choose: languages and orientations. */
export const LANGS = ['en', 'ru', 'de', 'fr', 'es', 'pl', 'it', 'pt', 'ja', 'nl'] as const;
export type Lang = (typeof LANGS)[number];
export const GENDERS = ['str', 'she', 'gay'] as const;
export type Gender = (typeof GENDERS)[number];
