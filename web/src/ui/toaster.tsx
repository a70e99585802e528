import { createRoot } from 'react-dom/client';
import { flushSync } from 'react-dom';
import { toast, Toaster } from 'sonner';
import { useT } from '@/i18n';
import { cn } from '@/lib/cn';
import { useAboveNotice } from '@/lib/notice-height';
import { Icon } from './icons';
import { MemberIcon } from './member-icons';

export type ToastKind = 'success' | 'error';

const SHOWN_MS = 4000;

function Place() {
  const t = useT();
  return (
    <Toaster
      position="bottom-center"
      mobileOffset={{ bottom: useAboveNotice(16) }}
      duration={SHOWN_MS}
      visibleToasts={3}
      containerAriaLabel={t('action.notices')}
    />
  );
}

let isPlaced = false;

/** Mounts on the first message. The file is preloaded, so that being offline can be reported. */
function place(): void {
  if (isPlaced) return;
  isPlaced = true;
  // The toaster has a separate root, because messages outlive the screen and the dialog that cause them.
  const element = document.createElement('div');
  document.body.append(element);
  flushSync(() => createRoot(element).render(<Place />));
}

export function show(text: string, kind: ToastKind, undo?: () => void): void {
  place();
  toast.custom((id) => (
    <div className="pointer-events-auto flex w-full items-stretch rounded-card border border-line bg-surface text-sm text-ink shadow-pop">
      <button
        type="button"
        className="flex min-w-0 flex-1 items-center gap-3 rounded-card px-4 py-3 text-start"
        onClick={() => toast.dismiss(id)}
      >
        <span className={cn(kind === 'error' ? 'text-danger' : 'text-accent')}>
          {kind === 'error' ? <MemberIcon name="warning" size={20} /> : <Icon name="check" />}
        </span>
        {text}
      </button>
      {undo && (
        <Undo
          onClick={() => {
            toast.dismiss(id);
            undo();
          }}
        />
      )}
    </div>
  ));
}

function Undo({ onClick }: { onClick: () => void }) {
  const t = useT();
  return (
    <button
      type="button"
      className="min-h-11 shrink-0 rounded-card px-4 font-semibold text-accent hover:underline"
      onClick={onClick}
    >
      {t('action.undo')}
    </button>
  );
}
