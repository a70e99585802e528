/** Pages about the site, in the order of their menu. */
export const TOPICS = ['support', 'terms', 'privacy', 'cookies_policy', 'dmca', '2257'] as const;
export type Topic = (typeof TOPICS)[number];

export const topicPath = (topic: Topic): string => `/information/${topic}/`;
