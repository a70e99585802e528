/** Searches a list of names. This module is pure. */
import type { PickOption } from './details';

/** Removes diacritics, so that accents need not be typed. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Script=Latin}\p{M}+/gu, ([letter = '']) => letter)
    .normalize('NFC')
    .toLowerCase();

/**
 * Returns the names that begin with the text, then those with a word that begins with it, then those that contain it. Within each group,
 * the list's order is kept.
 */
export function fitting(list: readonly PickOption[], typed: string): PickOption[] {
  const text = plain(typed.trim());
  if (text === '') return [...list];
  const rank = ({ title }: PickOption): number => {
    const name = plain(title);
    if (name.startsWith(text)) return 0;
    return name.includes(` ${text}`) ? 1 : name.includes(text) ? 2 : 3;
  };
  return list
    .map((named) => ({ named, at: rank(named) }))
    .filter(({ at }) => at < 3)
    .sort((one, other) => one.at - other.at)
    .map(({ named }) => named);
}
