import { Link } from 'wouter';
import { requestContact } from '@/shared/contact/contact-request';
import { useTopicText } from '@/i18n/topics';
import { cn } from '@/lib/cn';
import { deferred } from '@/lib/deferred';
import { heading, useTitle } from '@/lib/title';
import { Button } from '@/ui/button';
import { asksForAds } from '@/shared/cookies/dismissal';
import { TOPICS, topicPath, type Topic } from '@/shared/address/topics';
import { useSiteText } from '@/i18n/site';

const AdCookies = deferred(() => import('@/shared/cookies/ad-cookies'));

/** An information page. The server renders the same text. */
export default function InformationScreen({ topic }: { topic: Topic }) {
  const site = useSiteText();
  const text = useTopicText()(topic);
  useTitle(site(topic));
  return (
    <div className="page grid gap-8 pt-6 lg:grid-cols-[14rem_minmax(0,1fr)] lg:pt-8">
      <nav aria-label={site('all')} className="min-w-0">
        <ul className="-mx-4 flex gap-1 overflow-x-auto px-4 whitespace-nowrap lg:mx-0 lg:flex-col lg:px-0">
          {TOPICS.map((other) => (
            <li key={other}>
              <Link
                href={topicPath(other)}
                aria-current={other === topic ? 'page' : undefined}
                className={cn(
                  'flex min-h-10 items-center rounded-control px-3 text-sm hover:bg-raised',
                  other === topic && 'bg-raised font-semibold text-accent',
                )}
              >
                {site(other)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <article className="flex max-w-prose flex-col gap-4">
        <h1 className={heading}>{site(topic)}</h1>
        {text.split('\n\n').map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        {topic === 'cookies_policy' && asksForAds() && <AdCookies />}
        {topic === 'support' && (
          <Button
            look="primary"
            aria-haspopup="dialog"
            className="mt-2 self-start"
            onClick={requestContact}
          >
            {site('contact')}
          </Button>
        )}
      </article>
    </div>
  );
}
