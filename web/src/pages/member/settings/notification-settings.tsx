/** Which notifications the member wants, and how often a mail summarizes them. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Path } from '@/api/call';
import { get, post } from '@/api/client';
import { useNotificationText, type NotificationText } from '@/i18n/notifications';
import type { Schema } from '@/api/call';
import { isOneOf } from '@/lib/one-of';
import type { Kind } from '@/shared/notifications/about';
import { Select, Submit, Checkbox } from '@/ui/form/field';
import { FormBox, textField, useForm } from '@/ui/form/use-form';
import { LoadError } from '@/ui/problem';
import { toast } from '@/ui/toast';

const URL = '/api/notifications.php' satisfies Path;
type Settings = Schema<'NotificationSettings'>;

const KINDS: Record<Kind, NotificationText> = {
  reply: 'ofReplies',
  comment: 'ofComments',
  friend_request: 'ofRequests',
  friend_accepted: 'ofAccepted',
  message: 'ofMessages',
  upload_published: 'ofPublished',
  upload_refused: 'ofRefused',
  upload_failed: 'ofFailed',
  film_replaced: 'ofFilmReplaced',
  film_refused: 'ofFilmRefused',
};
const DIGESTS = ['off', 'daily', 'weekly'] as const;

export function NotificationSettings() {
  // Fields keep their initial values, so never render them from a stale response, even if no newer one is available.
  const settings = useQuery({ ...get(URL, {}), gcTime: 0, staleTime: 0 });
  const { data, error, refetch, isFetchedAfterMount } = settings;
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data || !isFetchedAfterMount)
    return <div aria-busy="true" className="skeleton min-h-96 rounded-card" />;
  return <SettingsForm settings={data} />;
}

function SettingsForm({ settings }: { settings: Settings }) {
  const say = useNotificationText();
  const client = useQueryClient();
  const kinds = Object.entries(KINDS) as [Kind, NotificationText][];
  const form = useForm({
    fields: ['digest'],
    send: async (data) => {
      const muted = kinds.map(([kind]) => kind).filter((kind) => !data.has(kind));
      const digest = textField(data, 'digest');
      if (!isOneOf(DIGESTS, digest)) return;
      await post(URL, { act: 'settings', muted: muted.join(','), digest });
      client.setQueryData<Settings>(get(URL, {}).queryKey, { muted, digest });
      void toast(say('saved'));
    },
  });
  return (
    <FormBox form={form} className="flex max-w-md flex-col gap-4">
      {kinds.map(([kind, name]) => (
        <Checkbox
          key={kind}
          form={form}
          name={kind}
          label={say(name)}
          defaultChecked={!settings.muted.includes(kind)}
        />
      ))}
      <Select
        form={form}
        name="digest"
        label={say('digest')}
        defaultValue={settings.digest}
        options={DIGESTS.map((digest) => [digest, say(digest)] as const)}
        required
      />
      <Submit form={form}>{say('save')}</Submit>
    </FormBox>
  );
}
