/** The field for a video's time of publication. It names the time zone of the browser. */
import { useState } from 'react';
import { useUploadText } from '@/i18n/upload';
import { useVisitor } from '@/lib/visitor';
import { toField, zoneName } from '@/shared/details/publish-time';
import { Field } from '@/ui/form/field';
import type { Form, Problems } from '@/ui/form/use-form';

export const PUBLISH_AT = 'publish_at';

/** Refuses a time that is only partly entered. Its value is empty, which would publish the video at once. */
export function publishProblems(element: HTMLFormElement): Problems {
  const input = element.elements.namedItem(PUBLISH_AT);
  return input instanceof HTMLInputElement && input.validity.badInput
    ? { [PUBLISH_AT]: { code: 'invalid' } }
    : {};
}

export function PublishField({ form, first }: { form: Form; first: string }) {
  const say = useUploadText();
  const { lang } = useVisitor();
  const [value, setValue] = useState(() => toField(first));
  return (
    <Field
      form={form}
      type="datetime-local"
      name={PUBLISH_AT}
      label={say('publishAt')}
      hint={say('publishHint', { zone: zoneName(value, lang) })}
      defaultValue={toField(first)}
      onChange={({ target }) => setValue(target.value)}
    />
  );
}
