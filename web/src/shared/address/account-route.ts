/** Which of these pages an address shows. Pure; the server has the same table (`api/src/web/routes.rs`). */
import { isOneOf } from '@/lib/one-of';
import { TOPICS, topicPath, type Topic } from './topics';

const PAGES = ['signin', 'signup', 'confirm', 'restore-password', 'sitemap-page'] as const;

export type AccountRoute =
  | { page: (typeof PAGES)[number] | 'not-found' }
  | { page: 'information'; topic: Topic }
  | { page: 'redirect'; to: string };

export function resolveAccount([root, topic, ...more]: string[]): AccountRoute {
  if (root === 'information') {
    if (topic === undefined) return { page: 'redirect', to: topicPath('support') };
    if (isOneOf(TOPICS, topic) && more.length === 0) return { page: 'information', topic };
  }
  return isOneOf(PAGES, root) && topic === undefined ? { page: root } : { page: 'not-found' };
}
