import { words } from '../../../generated/addresses';

/** The information pages in the order of their menu. */
export const TOPICS = words.topic;
export type Topic = (typeof TOPICS)[number];

export const topicPath = (topic: Topic): string => `/information/${topic}/`;
