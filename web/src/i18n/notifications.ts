/** Texts for a member's notifications. */
import { namespace } from './namespace';
import type en from '@texts/notifications/en.json';

export type NotificationText = keyof typeof en;

export const { useSay: useNotificationText } = namespace<NotificationText>(
  'notifications',
  import.meta.glob<object>('./notifications/*.json', {
    base: '../../../config/texts',
    import: 'default',
  }),
);
