/** Room that the notice about cookies takes of the window's foot, in pixels; 0 without one. */
import { createStore } from './store';

export const noticeHeight = createStore(0);

/** What floats at the window's foot stands this high, above the phone's bar and the notice. */
export const useAboveNotice = (gap: number): string =>
  `calc(${String(gap + noticeHeight.useValue())}px + var(--foot))`;
