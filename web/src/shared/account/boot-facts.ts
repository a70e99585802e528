/** What the page says of signing in. */
import { sent } from '@/lib/sent';

/** Signing in and out loads a new page or asks again, so this holds as long as the page does. */
export const cameAsGuest = sent().guest === true;
export const offersGoogle = sent().google === true;
