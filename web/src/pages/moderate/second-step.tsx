/** Asks for the one-time password that allows moderators to make decisions in this session. */
import { useQueryClient } from '@tanstack/react-query';
import { post } from '@/api/client';
import { useModerateText } from '@/i18n/moderate';
import { Field, Submit } from '@/ui/form/field';
import { FormBox, textField, useForm } from '@/ui/form/use-form';
import { staffQuery } from './queries';

interface Props {
  /** What the code is for, unless it is for login. */
  lead?: string;
  onDone?: () => void;
}

export function SecondStep({ lead, onDone }: Props) {
  const say = useModerateText();
  const client = useQueryClient();
  const form = useForm({
    fields: ['code'],
    send: async (data) => {
      const staff = await post('/api/moderate/second_step', { code: textField(data, 'code') });
      client.setQueryData(staffQuery.queryKey, staff);
      onDone?.();
    },
  });
  return (
    <FormBox form={form} className="flex max-w-sm flex-col gap-5">
      <Field
        form={form}
        name="code"
        label={say('code')}
        hint={lead ?? say('stepLead')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
      />
      <Submit form={form}>{say('continue')}</Submit>
    </FormBox>
  );
}
