/** Reopens the cookie notice for visitors who want to change their choice. */
import { createStore } from '@/lib/store';
import { isNoticeDue } from './dismissal';

const open = createStore<boolean | null>(null);

export const useNotice = (): boolean => open.useValue() ?? isNoticeDue();
export const requestNotice = (): void => open.write(true);
export const closeNotice = (): void => open.write(false);
