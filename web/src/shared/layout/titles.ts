/** Names of the pages about the site, and the few words of its foot: small, because most visits need them. */
import { lazyTexts } from '@/i18n/lazy-texts';
import type en from '@/i18n/site/en.json';

export const TOPICS = ['support', 'terms', 'privacy', 'cookies_policy', 'dmca', '2257'] as const;
export type Topic = (typeof TOPICS)[number];

export const topicPath = (topic: Topic): string => `/information/${topic}/`;

const titles = lazyTexts(
  import.meta.glob<typeof en>('../../i18n/site/*.json', { import: 'default' }),
);

export const useTitles = (): (typeof en)['information'] => titles.useTexts().information;
