/** Returns the focus to the trigger on closing, unless the next page or a dialog has taken it. */
export function leaveFocus(event: Event): void {
  if (document.activeElement !== document.body) event.preventDefault();
}
