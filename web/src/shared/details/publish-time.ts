/** Times of publication: between the API and a form's field in the browser's time zone, and as people read them. */

/** Formats a time with its date and the short name of the browser's time zone. */
export const fullTime = (time: string, lang: string): string =>
  new Intl.DateTimeFormat(lang, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(time));

/** Returns a time as the value of a field of the type `datetime-local`. Seconds are dropped. */
export function toField(time: string): string {
  if (time === '') return '';
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Returns the time in a field. If the field still shows `first`, it is `first`, with its seconds. */
export function fromField(value: string, first: string): string {
  if (value === '' || value === toField(first)) return value && first;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

/** Returns the name of the browser's time zone at the time in a field, or now. It differs in summer. */
export function zoneName(value: string, lang: string): string {
  const date = value === '' ? new Date() : new Date(value);
  const format = new Intl.DateTimeFormat(lang, { timeZoneName: 'long' });
  const long = format.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value;
  return `${long ?? ''} (${format.resolvedOptions().timeZone})`;
}
