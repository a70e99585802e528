import { firstPaint } from './lib/first-paint';
import { applyTheme } from './lib/theme';
import { isMuting } from './shared/mutes/rules';
import './styles/app.css';

applyTheme();
// The server doesn't know a guest's mutes, so hide its page from anyone who has muted something.
if (isMuting()) document.documentElement.dataset.plain = 'hidden';

// This isn't awaited: the app's files import from this one and would wait for it to finish.
void firstPaint()
  .then(() => import('./app/start'))
  .then(({ start }) => start())
  .catch((error: unknown) => {
    // Without the app, show the server-rendered page to everyone.
    delete document.documentElement.dataset.plain;
    throw error;
  });
