/** Short messages at the edge of the page. The code that shows them comes with the first one. */
export type ToastKind = 'success' | 'error';

/** Shows a message for four seconds, or until it is clicked. */
export const toast = async (text: string, kind: ToastKind = 'success'): Promise<void> => {
  const { show } = await import('@/ui/toaster');
  show(text, kind);
};
