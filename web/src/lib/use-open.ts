import { useState } from 'react';

/** The state of something that can be open or closed, such as a dialog. */
export function useOpen(first: boolean | (() => boolean) = false) {
  const [isOpen, setOpen] = useState(first);
  return {
    isOpen,
    open: () => setOpen(true),
    close: () => setOpen(false),
  };
}
