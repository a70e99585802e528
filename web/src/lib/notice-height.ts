/** The cookie notice's height at the bottom of the window, in pixels, or 0 if the notice isn't shown. */
import { createStore } from './store';

export const noticeHeight = createStore(0);

/** The bottom offset of floating elements, which places them above the phone's bar and the notice. */
export const useAboveNotice = (gap: number): string =>
  `calc(${String(gap + noticeHeight.useValue())}px + var(--foot))`;
