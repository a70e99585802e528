/** Dialogs of actions, each its own piece of the build. */
import { lazy } from 'react';

export const AddToDialog = lazy(() => import('./add-to-dialog'));
export const ReportDialog = lazy(() => import('@/shared/contact/contact-modal'));
export const ShareDialog = lazy(() => import('./share-dialog'));
