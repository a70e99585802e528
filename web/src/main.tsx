import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app';
import { startI18n } from './i18n';
import { readBoot } from './lib/boot';
import { queryClient } from './lib/query';
import { startScrollMemory } from './lib/scroll';
import { applyTheme } from './lib/theme';
import { VisitorProvider } from './lib/visitor';
import './styles/app.css';

const boot = readBoot();
for (const url in boot.answers) queryClient.setQueryData([url], boot.answers[url]);
applyTheme();
startScrollMemory();
await startI18n(boot.lang);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <VisitorProvider boot={boot}>
        <App boot={boot} />
      </VisitorProvider>
    </QueryClientProvider>
  </StrictMode>,
);
