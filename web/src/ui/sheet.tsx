/** Dialogs based on Radix: a bottom sheet, a side menu, and a centered box. This module is loaded when the first one is opened. */
import * as Dialog from '@radix-ui/react-dialog';
import { useEffect, useState, type ReactNode, type RefObject } from 'react';
import { useT } from '@/i18n';
import { cn } from '@/lib/cn';
import { useBackCloses } from './back';
import { Icon } from './icons';

const PLACES = {
  bottom:
    'inset-x-0 bottom-0 max-h-[85dvh] rounded-t-2xl animate-[rise_160ms_ease-out] pb-[env(safe-area-inset-bottom)]',
  start: 'inset-y-0 start-0 w-80 max-w-[88vw] animate-[slide_160ms_ease-out]',
  center:
    'top-1/2 left-1/2 w-[calc(100vw-32px)] max-w-lg max-h-[85dvh] -translate-1/2 rounded-card animate-[appear_120ms]',
} as const;

interface Props {
  title: string;
  place: keyof typeof PLACES;
  onClose: () => void;
  footer?: ReactNode;
  /** What gets the focus on closing in place of the element that had it on opening. */
  focusNext?: RefObject<HTMLElement | null>;
  children: ReactNode;
}

export default function Sheet({ title, place, onClose, footer, focusNext, children }: Props) {
  const t = useT();
  useBackCloses(onClose);
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // Radix returns the focus only to its own trigger, which these dialogs don't have.
      setTimeout(() => {
        const next = focusNext?.current;
        if (next) next.focus({ preventScroll: true });
        else if (opener instanceof HTMLElement) opener.focus();
      });
    },
    [opener, focusNext],
  );
  return (
    <Dialog.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 bg-black/60 backdrop-blur-xs" />
        <Dialog.Content
          aria-describedby={undefined}
          className={cn(
            'fixed z-50 flex flex-col border border-line bg-surface shadow-pop',
            PLACES[place],
          )}
        >
          <div className="flex items-center justify-between gap-4 border-b border-line py-2 ps-5 pe-2">
            <Dialog.Title className="text-base font-semibold">{title}</Dialog.Title>
            <Dialog.Close
              aria-label={t('action.close')}
              className="grid size-11 place-items-center rounded-control text-muted hover:bg-raised hover:text-ink"
            >
              <Icon name="close" />
            </Dialog.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-5">{children}</div>
          {footer && <div className="border-t border-line p-4">{footer}</div>}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
