/** Renders the app in place of the server-rendered page. */
import { QueryClientProvider } from '@tanstack/react-query';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startI18n } from '@/i18n';
import { leaveOver } from '@/lib/over';
import { queryClient } from '@/lib/query';
import { startScrollMemory } from '@/lib/scroll';
import { sent } from '@/lib/sent';
import { VisitorProvider, chosenLang } from '@/lib/visitor';
import { Boundary } from '@/ui/boundary';
import { App, loadFirst } from './app';

export async function start(): Promise<void> {
  // A page from the dev server lacks this data and starts from the cookies.
  const { answers = {}, country = 'US', lang = chosenLang(location.search) } = sent();
  for (const url in answers) queryClient.setQueryData([url], answers[url]);
  startScrollMemory();
  leaveOver();
  await Promise.all([startI18n(lang), loadFirst()]);

  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  // Renders in slices: the visible page stays responsive, and it is replaced at once when everything is ready.
  startTransition(() => {
    createRoot(root).render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <VisitorProvider lang={lang} country={country}>
            <Boundary>
              <App />
            </Boundary>
          </VisitorProvider>
        </QueryClientProvider>
      </StrictMode>,
    );
  });
}
