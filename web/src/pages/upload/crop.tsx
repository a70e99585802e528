/** The editor for a picture's crop, which loads on first use. */
import { deferred } from '@/lib/deferred';

export const Crop = deferred(
  () => import('./crop-editor'),
  <div aria-busy="true" className="skeleton aspect-[16/10] w-full max-w-2xl rounded-control" />,
);
