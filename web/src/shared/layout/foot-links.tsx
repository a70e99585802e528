import { Link } from 'wouter';
import { requestContact } from '@/shared/contact/contact-request';
import { TOPICS, topicPath, useTitles } from './titles';

/** The second row of the footer. */
export function FootLinks() {
  const titles = useTitles();
  const look = 'hover:text-ink hover:underline';
  return (
    <ul aria-label={titles.all} className="flex flex-wrap gap-x-6 gap-y-2 text-sm text-muted">
      {TOPICS.map((topic) => (
        <li key={topic}>
          <Link href={topicPath(topic)} className={look}>
            {titles[topic]}
          </Link>
        </li>
      ))}
      <li>
        <Link href="/sitemap-page/" className={look}>
          {titles.sitemap}
        </Link>
      </li>
      <li>
        <button type="button" aria-haspopup="dialog" className={look} onClick={requestContact}>
          {titles.contact}
        </button>
      </li>
    </ul>
  );
}
