/** Toasts, which are short messages at the edge of the page. The code loads with the first one. */
import type { ToastKind } from './toaster';

/** Shows a message for four seconds, or until it is clicked. `undo` is offered for as long. */
export const toast = async (
  text: string,
  kind: ToastKind = 'success',
  undo?: () => void,
): Promise<void> => {
  const { show } = await import('./toaster');
  show(text, kind, undo);
};
