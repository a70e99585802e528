import { useLayoutEffect, type RefObject } from 'react';
import { isOff } from '@/shared/keys/keys';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** `/` anywhere but in a field moves to the search box. */
export function useSlashKey(input: RefObject<HTMLInputElement | null>): void {
  // At work from the moment the box is seen.
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || isOff(event.key)) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    addEventListener('keydown', pressed);
    return () => {
      removeEventListener('keydown', pressed);
    };
  }, [input]);
}
