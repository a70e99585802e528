/** What a playlist's form must hold (SPEC section 5). Pure. */
export const TITLE = { min: 3, max: 100 } as const;
export const DESCRIPTION = { min: 5, max: 500 } as const;

export interface PlaylistText {
  title: string;
  desc: string;
}
/** What is wrong with a field, as the server would say it. */
export interface Wrong {
  code: 'required' | 'min_length' | 'max_length';
  bound?: number;
}

/** Characters as people count them: an emoji is one. */
export const lengthOf = (text: string): number => Array.from(text.trim()).length;

export function textWrong(text: string, { min, max }: { min: number; max: number }): Wrong | null {
  const length = lengthOf(text);
  if (length === 0) return { code: 'required' };
  if (length < min) return { code: 'min_length', bound: min };
  return length > max ? { code: 'max_length', bound: max } : null;
}

/** By field; empty where the form may be sent. */
export function playlistWrong({ title, desc }: PlaylistText): Partial<Record<string, Wrong>> {
  const found = { title: textWrong(title, TITLE), desc: textWrong(desc, DESCRIPTION) };
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, Wrong] => entry[1] !== null),
  );
}
