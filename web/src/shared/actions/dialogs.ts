/** The action dialogs, each in a separate chunk. */
import { deferred } from '@/lib/deferred';

export const AddToDialog = deferred(() => import('./add-to-dialog'));
export const ReportDialog = deferred(() => import('@/shared/contact/contact-modal'));
export const ShareDialog = deferred(() => import('./share-dialog'));
