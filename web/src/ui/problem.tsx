/** What is shown in place of content that is not there. */
import type { ReactNode } from 'react';
import { useT } from '@/i18n';
import { ApiError } from '@/lib/http';
import { button } from './button';

interface PanelProps {
  title: string;
  text?: string | undefined;
  children?: ReactNode;
}

export function Panel({ title, text, children }: PanelProps) {
  return (
    <div className="mx-auto flex max-w-xl flex-col items-center gap-4 px-4 py-16 text-center">
      <p className="text-xl font-semibold text-balance">{title}</p>
      {text && <p className="text-pretty text-muted">{text}</p>}
      {children && <div className="mt-2 flex flex-wrap justify-center gap-2">{children}</div>}
    </div>
  );
}

/** A failed load: says whether it is the visitor's line or us, and offers another try. */
export function LoadError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useT();
  const known = error instanceof ApiError ? error : null;
  const text = known?.status === 0 ? t('error.offline') : t('error.unavailable');
  return (
    <div role="alert">
      <Panel title={t('error.title')} text={text}>
        <button type="button" className={button.plain} onClick={onRetry}>
          {t('action.retry')}
        </button>
      </Panel>
      {known?.requestId && (
        <p className="pb-8 text-center text-xs text-muted">
          {t('error.reference', { id: known.requestId })}
        </p>
      )}
    </div>
  );
}
