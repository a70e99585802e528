/** What was said to the notice about cookies, kept in local storage. */
import { sent } from '@/lib/sent';
import { readStored, writeStored } from '@/lib/storage';

const KEY = 'lantern.cookies';
/** Whether advertisers may set cookies, once that was said. */
const ADS_KEY = 'lantern.ads';
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
const isAnswer = (value: unknown): value is boolean | null => value === null || isFlag(value);

/** This page has advertisements that the visitor must agree to. */
export const asksForAds = (): boolean => sent().ads?.asks ?? false;

export const isNoticeDue = (): boolean =>
  asksForAds() ? readStored(ADS_KEY, isAnswer, null) === null : !readStored(KEY, isFlag, false);

export const dismissNotice = (): void => {
  writeStored(KEY, true);
};

export const answerAds = (agrees: boolean): void => {
  dismissNotice();
  writeStored(ADS_KEY, agrees);
};

/** Whether frames of advertisers may be loaded. */
export const mayAdvertise = (): boolean => !asksForAds() || readStored(ADS_KEY, isFlag, false);
