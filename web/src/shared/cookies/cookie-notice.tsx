import { createPortal } from 'react-dom';
import { Link } from 'wouter';
import { useSiteText } from '@/i18n/site';
import { Button } from '@/ui/button';
import { dismissNotice } from './dismissal';

/** Says what is kept; blocks nothing, so that it is read when there is time. */
export default function CookieNotice({ onClose }: { onClose: () => void }) {
  const site = useSiteText();
  return createPortal(
    <section
      aria-label={site('cookies_policy')}
      className="fixed inset-x-4 bottom-20 z-20 flex max-w-md flex-col gap-3 rounded-card border border-line bg-surface p-4 text-sm shadow-pop lg:start-4 lg:end-auto lg:bottom-4"
    >
      <p>{site('cookiesText')}</p>
      <div className="flex items-center justify-between gap-4">
        <Link href="/information/cookies_policy/" className="text-accent hover:underline">
          {site('cookies_policy')}
        </Link>
        <Button
          look="primary"
          onClick={() => {
            dismissNotice();
            onClose();
          }}
        >
          {site('cookiesOk')}
        </Button>
      </div>
    </section>,
    document.body,
  );
}
