/** Test helper that shows components inside the app's providers. Whoever imports it gets a clean page for each test. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, Suspense, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, vi } from 'vitest';
import { startI18n } from '@/i18n';
import { VisitorProvider } from './visitor';

let root: Root | undefined;

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  await startI18n('en');
});
afterEach(() => {
  unmount();
  vi.unstubAllGlobals();
});

/** Shows the content in English. A second call replaces it. */
export const render = (content: ReactNode, client = new QueryClient()): Promise<void> =>
  act(async () => {
    root ??= createRoot(document.body.appendChild(document.createElement('div')));
    root.render(
      <QueryClientProvider client={client}>
        <VisitorProvider lang="en" country="US">
          <Suspense>{content}</Suspense>
        </VisitorProvider>
      </QueryClientProvider>,
    );
    await Promise.resolve();
  });

export function unmount(): void {
  act(() => root?.unmount());
  root = undefined;
  document.body.replaceChildren();
}
