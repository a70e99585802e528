/** The visitor's answers to the cookie notice, which are kept in local storage. */
import { sent } from '@/lib/sent';
import { readStored, writeStored } from '@/lib/storage';

const KEY = 'lantern.cookies';
/** Whether advertisers may set cookies. It is missing until the visitor has answered. */
const ADS_KEY = 'lantern.ads';
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
const isAnswer = (value: unknown): value is boolean | null => value === null || isFlag(value);

/** Whether this page has advertisements that need consent. */
export const asksForAds = (): boolean => sent().ads?.asks ?? false;

export const isNoticeDue = (): boolean =>
  asksForAds() ? readStored(ADS_KEY, isAnswer, null) === null : !readStored(KEY, isFlag, false);

export const dismissNotice = (): void => writeStored(KEY, true);

export const answerAds = (agrees: boolean): void => {
  dismissNotice();
  writeStored(ADS_KEY, agrees);
};

/** Whether advertisers' frames may be loaded. */
export const mayAdvertise = (): boolean => !asksForAds() || readStored(ADS_KEY, isFlag, false);
