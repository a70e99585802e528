import { firstPaint } from './lib/first-paint';
import { applyTheme } from './lib/theme';
import { isMuting } from './shared/mutes/rules';
import './styles/app.css';

applyTheme();
// The server knows nothing of what is muted here: its page isn't shown to who would see that.
if (isMuting()) document.documentElement.dataset.plain = 'hidden';

// Not awaited: the app's files import from this one, and would wait for its end.
void firstPaint()
  .then(() => import('./app/start'))
  .then(({ start }) => start())
  .catch((error: unknown) => {
    // Without the app the server's page is all there is, for whoever looks.
    delete document.documentElement.dataset.plain;
    throw error;
  });
