/** The theme, dark or light: the visitor's choice, else the system's. */
import { isOneOf } from './one-of';
import { readStored, writeStored } from './storage';

const KEY = 'lantern.theme';
const THEMES = ['dark', 'light'] as const;
export type Theme = (typeof THEMES)[number];

const isTheme = (value: unknown): value is Theme => isOneOf(THEMES, value);

const chosen = (): Theme | null => readStored<Theme | null>(KEY, isTheme, null);

export const currentTheme = (): Theme =>
  chosen() ?? (matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark');

/** Applies the stored choice. Without one, the style sheet follows the system. */
export function applyTheme(): void {
  const theme = chosen();
  if (!theme) return;
  document.documentElement.dataset.theme = theme;
  // The browser's bar matches the page. There is one meta per theme, in the order of `THEMES`.
  document
    .querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')
    .forEach((meta, index) =>
      meta.setAttribute('media', THEMES[index] === theme ? 'all' : 'not all'),
    );
}

export function chooseTheme(theme: Theme): void {
  writeStored(KEY, theme);
  applyTheme();
}
