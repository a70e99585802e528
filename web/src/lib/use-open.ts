import { useState } from 'react';

/** Open/closed state, such as a dialog's. */
export function useOpen(first: boolean | (() => boolean) = false) {
  const [isOpen, setOpen] = useState(first);
  return {
    isOpen,
    open: () => {
      setOpen(true);
    },
    close: () => {
      setOpen(false);
    },
  };
}
