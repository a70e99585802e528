/** Messages that are shown in place of missing content. */
import { useEffect, useEffectEvent, useState, useSyncExternalStore, type ReactNode } from 'react';
import { useT } from '@/i18n';
import { ApiError } from '@/lib/http';
import { useVisitor } from '@/lib/visitor';
import { Button } from './button';

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

/** Returns the error code's text in the visitor's language. It is loaded when needed, which fails offline. */
function useErrorReason(error: Error): string | undefined {
  const t = useT();
  const { lang } = useVisitor();
  const [words, setWords] = useState<string>();
  useEffect(() => {
    let show: typeof setWords | undefined = setWords;
    void import('@/i18n/errors')
      .then(({ errorText }) => errorText(error, lang))
      .catch(() => t('error.unreachable'))
      .then((text) => show?.(text));
    return () => {
      show = undefined;
    };
  }, [error, lang, t]);
  return words;
}

const subscribe = (listener: () => void) => {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
};
/** Whether the device is online, as far as the browser knows. */
const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);

/** Shows why a load has failed, and a retry button. When offline, it retries as soon as the connection is back. */
export function LoadError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useT();
  const isOnline = useOnline();
  // The line is reserved until the text is loaded.
  const text = useErrorReason(error) ?? '\u00a0';
  const retry = useEffectEvent(onRetry);
  useEffect(() => {
    const again = () => retry();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, []);
  if (!isOnline) {
    return (
      <div role="alert">
        <Panel title={t('error.offline')} text={t('error.waits')} />
      </div>
    );
  }
  return (
    <div role="alert">
      <Panel title={t('error.title')} text={text}>
        <Button look="plain" onClick={onRetry}>
          {t('action.retry')}
        </Button>
      </Panel>
      {error instanceof ApiError && error.requestId && (
        <p className="pb-8 text-center text-xs text-muted">
          {t('error.reference', { id: error.requestId })}
        </p>
      )}
    </div>
  );
}
