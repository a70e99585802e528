import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app';
import { startI18n } from './i18n';
import { LANGS } from './lib/audience';
import { chosen } from './lib/cookies';
import { leaveOver } from './lib/over';
import { queryClient } from './lib/query';
import { startScrollMemory } from './lib/scroll';
import { sent } from './lib/sent';
import { applyTheme } from './lib/theme';
import { VisitorProvider } from './lib/visitor';
import './styles/app.css';

// A page without any of it (the dev server's) starts from the cookies.
const {
  answers = {},
  country = 'US',
  lang = chosen(LANGS, location.search, 'lang', 'app_lang'),
} = sent();
for (const url in answers) queryClient.setQueryData([url], answers[url]);
applyTheme();
startScrollMemory();
leaveOver();
await startI18n(lang);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <VisitorProvider lang={lang} country={country}>
        <App />
      </VisitorProvider>
    </QueryClientProvider>
  </StrictMode>,
);
