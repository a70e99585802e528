/** Whether the notice about cookies was read, kept in local storage. */
import { readStored, writeStored } from '@/lib/storage';

const KEY = 'lantern.cookies';
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';

export const isNoticeDue = (): boolean => !readStored(KEY, isFlag, false);

export const dismissNotice = (): void => {
  writeStored(KEY, true);
};
