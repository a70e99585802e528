/** Height of the cookie notice at the bottom of the window, in pixels; 0 without one. */
import { createStore } from './store';

export const noticeHeight = createStore(0);

/** Bottom offset of floating elements, above the phone's bar and the notice. */
export const useAboveNotice = (gap: number): string =>
  `calc(${String(gap + noticeHeight.useValue())}px + var(--foot))`;
