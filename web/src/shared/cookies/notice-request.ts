/** The notice about cookies, asked for again by who wants to choose anew. */
import { createStore } from '@/lib/store';
import { isNoticeDue } from './dismissal';

const open = createStore<boolean | null>(null);

export const useNotice = (): boolean => open.useValue() ?? isNoticeDue();
export const requestNotice = (): void => {
  open.write(true);
};
export const closeNotice = (): void => {
  open.write(false);
};
