import { useState } from 'react';

/** Something that is open or not, as a dialog. */
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
