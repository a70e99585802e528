/** Single-letter shortcuts for buttons, for moderators who work by keyboard. */
import { useEffect } from 'react';
import { isOff } from '@/shared/keys/keys';

/** Letters typed into a field are text, not shortcuts. */
const types = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && !['radio', 'checkbox'].includes(target.type)));

/** J and K move through the list. A button's letter (`data-key`) clicks it. */
export function useDeskKeys(move: (by: number) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || types(event.target)) {
        return;
      }
      // An open dialog handles keys itself.
      if (document.querySelector('[role="dialog"]')) return;
      if (isOff(event.key)) return;
      const key = event.key.toLowerCase();
      if (key === 'j') move(1);
      else if (key === 'k') move(-1);
      else if (/^[art]$/.test(key)) {
        document.querySelector<HTMLElement>(`[data-key="${key}"]`)?.click();
      } else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [move]);
}
