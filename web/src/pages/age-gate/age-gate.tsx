import * as Dialog from '@radix-ui/react-dialog';
import { useT } from '@/i18n';
import { agree } from '@/lib/cookies';
import { useTitle } from '@/lib/title';
import { LanguageMenu } from '@/shared/layout/preferences';
import { Button } from '@/ui/button';
import { Logo } from '@/ui/icons';

const stay = (event: Event) => event.preventDefault();

/** Blocks the site: nothing behind the gate is rendered or requested until the visitor agrees. */
export default function AgeGate({ onAgree }: { onAgree: () => void }) {
  const t = useT();
  useTitle(t('gate.title'));
  return (
    <Dialog.Root open>
      <Dialog.Portal>
        <Dialog.Content
          onOpenAutoFocus={(event) => {
            // Focus the text instead of the language menu, because the text must be read.
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          onEscapeKeyDown={stay}
          onPointerDownOutside={stay}
          onInteractOutside={stay}
          className="fixed inset-0 z-50 flex flex-col overflow-y-auto bg-bg outline-none"
        >
          <div className="page flex items-center justify-between py-3">
            <span className="flex items-center gap-2 text-lg font-semibold tracking-tight">
              <Logo /> Lantern
            </span>
            <LanguageMenu />
          </div>
          <div className="m-auto flex max-w-lg flex-col items-center gap-5 px-6 py-12 text-center">
            <span
              aria-hidden="true"
              className="grid size-20 place-items-center rounded-full bg-accent-soft text-2xl font-semibold text-accent"
            >
              18+
            </span>
            <Dialog.Title className="text-2xl font-semibold tracking-tight text-balance sm:text-3xl">
              {t('gate.title')}
            </Dialog.Title>
            <Dialog.Description className="text-pretty text-muted">
              {t('gate.text')}
            </Dialog.Description>
            <div className="flex w-full flex-col gap-3 pt-3 sm:flex-row sm:justify-center">
              <Button
                look="primary"
                className="h-12 px-6"
                onClick={() => {
                  agree();
                  onAgree();
                }}
              >
                {t('gate.agree')}
              </Button>
              <Button
                look="plain"
                className="h-12 px-6"
                onClick={() => location.replace('about:blank')}
              >
                {t('gate.leave')}
              </Button>
            </div>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
