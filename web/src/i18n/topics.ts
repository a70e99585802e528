/** What the pages about the site say. The server reads the same files. */
import { namespace, type Say } from './namespace';
import type en from './topics/en.json';

export type TopicTextKey = keyof typeof en.topics;
export type TopicText = Say<TopicTextKey>;

export const { useSay: useTopicText } = namespace<TopicTextKey>(
  'topics',
  import.meta.glob<object>('./topics/*.json', { import: 'topics' }),
);
