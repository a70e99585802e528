import { useState } from 'react';
import { useMe } from '@/shared/account/use-me';
import { EmailField } from '@/shared/account/fields';
import { CaptchaPlace, useCaptcha } from '@/shared/captcha/use-captcha';
import { useErrorText } from '@/i18n/errors';
import { post } from '@/api/client';
import { Button } from '@/ui/button';
import { emailProblem, found, required } from '@/ui/form/checks';
import { lengthOf } from '@/lib/length';
import { Field, FileField, Select, Submit, TextArea } from '@/ui/form/field';
import { FormBox, textField, useForm, type Problems } from '@/ui/form/use-form';
import Sheet from '@/ui/sheet';
import type { Reason, ReportSubject } from './contact-request';
import { checkPicture } from './picture';
import { useContactText } from '@/i18n/contact';

/** Bounds in characters, as `[reports]` of the configuration has them. */
const MESSAGE_MAX = 1500;
const SUBJECT_MAX = 200;
const REF_MAX = 500;
/** Those the API's document has, in the order they are offered: one more or less does not compile. Their texts are `reason_*`. */
const REASONS = Object.keys({
  illegal: 0,
  minor: 0,
  non_consensual: 0,
  private_data: 0,
  copyright: 0,
  violence: 0,
  spam: 0,
  insult: 0,
  broken: 0,
  other: 0,
} satisfies Record<Reason, 0>);

/** A letter needs words; the reason of a report may say enough. */
function check(data: FormData): Problems {
  const message = textField(data, 'message');
  const isReport = data.has('reason');
  const long = lengthOf(message) > MESSAGE_MAX;
  return found({
    reason: isReport ? required(textField(data, 'reason')) : null,
    email: data.has('email') ? emailProblem(textField(data, 'email'), 'email_invalid') : null,
    message: long
      ? { code: 'max_length', bound: MESSAGE_MAX }
      : isReport
        ? null
        : required(message),
  });
}

interface Props {
  /** What is reported; `null` for a letter. */
  about: ReportSubject | null;
  onClose: () => void;
}

export default function ContactModal({ about, onClose }: Props) {
  const say = useContactText();
  const [sent, setSent] = useState(false);
  return (
    <Sheet title={say(about ? 'reportTitle' : 'contactTitle')} place="center" onClose={onClose}>
      {sent ? (
        <div className="flex flex-col gap-5">
          <p role="status">{say(about ? 'reportSent' : 'sent')}</p>
          <Button look="primary" onClick={onClose}>
            {say('close')}
          </Button>
        </div>
      ) : (
        <Letter
          about={about}
          onDone={() => {
            setSent(true);
          }}
        />
      )}
    </Sheet>
  );
}

function Letter({ about, onDone }: { about: ReportSubject | null; onDone: () => void }) {
  const say = useContactText();
  const me = useMe();
  const textOf = useErrorText();
  const captcha = useCaptcha('report');
  const form = useForm({
    fields: ['reason', 'subject', 'email', 'message', 'file'],
    check,
    send: async (data) => {
      const file = data.get('file');
      // A browser sends an empty file where none was chosen.
      if (file instanceof File && file.size > 0) await checkPicture(file);
      else data.delete('file');
      data.set('ref', (location.pathname + location.search).slice(0, REF_MAX));
      if (about) {
        data.set('section', about.section);
        data.set('object_id', String(about.id));
        if (about.title) data.set('subject', about.title);
      }
      const proof = me ? undefined : await captcha.take();
      if (proof !== undefined) data.set('captcha', proof);
      await post('/api/report.php', data);
      onDone();
    },
  });
  const reasons = REASONS.map((code) => [code, textOf({ code: `reason_${code}` })] as const);
  return (
    <FormBox form={form} onBegin={me ? undefined : captcha.start}>
      {about ? (
        <Select
          form={form}
          name="reason"
          label={say('reason')}
          required
          options={[['', say('chooseReason')], ...reasons]}
        />
      ) : (
        <Field form={form} name="subject" label={say('subject')} maxLength={SUBJECT_MAX} />
      )}
      {/* A member's address is known. */}
      {!me && <EmailField form={form} name="email" label={say('email')} />}
      <TextArea
        form={form}
        name="message"
        label={say(about ? 'details' : 'message')}
        hint={say('messageHint', { max: MESSAGE_MAX })}
        required={!about}
      />
      <FileField
        form={form}
        name="file"
        accept="image/*"
        label={say('file')}
        choose={say('chooseFile')}
        none={say('noFile')}
      />
      <CaptchaPlace captcha={captcha} />
      <Submit form={form}>{say('send')}</Submit>
    </FormBox>
  );
}
