/** Finds the times of a film in a text, such as `1:23`. This module is pure. */

export interface TimePart {
  text: string;
  /** The second that the text names. It is missing for other text. */
  at?: number;
}

const TIME = /[0-9０-９]{1,3}(?:[:：][0-9０-９]{2}){1,2}/g;
/** Numbers, addresses and words that merely contain a time: `12:34:56:78`, `1.5:20`, `/1:23`, `a1:23`. */
const JOINED_BEFORE = /[\w０-９:：.,/\\@#=&?%+]$/;
const JOINED_AFTER = /^(?:[\w０-９/\\@%]|[:：.,][0-9０-９])/;
/** The time of a day. */
const DAYTIME = /^\s?[ap]\.?m\b/i;

const digits = (text: string): number =>
  Number(text.replace(/[０-９]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0)));

/** Returns the seconds of a time such as `1:23` or `1:02:03`, or null if its minutes or seconds are above 59. */
function secondsIn(time: string): number | null {
  const [first = 0, ...rest] = time.split(/[:：]/).map(digits);
  return rest.every((part) => part < 60)
    ? rest.reduce((sum, part) => sum * 60 + part, first)
    : null;
}

/** Splits a text at the times of a film of `duration` seconds. Other times, such as `10:30 pm`, stay part of the text. */
export function timeParts(text: string, duration: number): TimePart[] {
  const parts: TimePart[] = [];
  let from = 0;
  for (const { 0: time, index } of text.matchAll(TIME)) {
    const end = index + time.length;
    const at = secondsIn(time);
    const after = text.slice(end, end + 5);
    const isOther =
      at === null ||
      at >= duration ||
      JOINED_BEFORE.test(text.slice(Math.max(0, index - 1), index)) ||
      JOINED_AFTER.test(after) ||
      DAYTIME.test(after);
    if (isOther) continue;
    if (index > from) parts.push({ text: text.slice(from, index) });
    parts.push({ text: time, at });
    from = end;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}
