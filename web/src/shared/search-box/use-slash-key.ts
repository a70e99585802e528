import { useLayoutEffect, type RefObject } from 'react';
import { isOff } from '@/shared/keys/keys';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Makes `/` move the focus to the search box, except while the visitor types in a field. */
export function useSlashKey(input: RefObject<HTMLInputElement | null>): void {
  // The key works from the moment the box is visible.
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || isOff(event.key)) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [input]);
}
