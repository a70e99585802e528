/** For what closes: the focus goes back to its button, unless the next page or a dialog has taken it. */
export function leaveFocus(event: Event): void {
  if (document.activeElement !== document.body) event.preventDefault();
}
