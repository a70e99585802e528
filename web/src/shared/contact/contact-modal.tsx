import { useState } from 'react';
import { useMe } from '@/shared/account/use-me';
import { EmailField } from '@/shared/account/fields';
import { CaptchaPlace, useCaptcha } from '@/shared/captcha/use-captcha';
import { useErrorText } from '@/i18n/errors';
import { post } from '@/api/client';
import { Button } from '@/ui/button';
import { emailProblem, found, required } from '@/ui/form/checks';
import { lengthOf } from '@/lib/length';
import { limits } from '@/lib/limits';
import { pictureTypes } from '@/shared/files/picture-types';
import { Field, FileField, Select, Submit, TextArea } from '@/ui/form/field';
import { FormBox, textField, useForm, type Problems } from '@/ui/form/use-form';
import Sheet from '@/ui/sheet';
import type { ReportSubject } from './contact-request';
import { checkPicture } from './picture';
import { useContactText } from '@/i18n/contact';

/** Validates the form. A message needs text, while for a report the reason may be enough. */
function check(data: FormData): Problems {
  const message = textField(data, 'message');
  const isReport = data.has('reason');
  const bound = limits().report.message;
  const long = lengthOf(message) > bound;
  return found({
    reason: isReport ? required(textField(data, 'reason')) : null,
    email: data.has('email') ? emailProblem(textField(data, 'email'), 'email_invalid') : null,
    message: long ? { code: 'max_length', bound } : isReport ? null : required(message),
  });
}

interface Props {
  /** The reported object, or `null` for a message to the operator. */
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
        <Letter about={about} onDone={() => setSent(true)} />
      )}
    </Sheet>
  );
}

function Letter({ about, onDone }: { about: ReportSubject | null; onDone: () => void }) {
  const say = useContactText();
  const me = useMe();
  const { report: bounds } = limits();
  const textOf = useErrorText();
  const captcha = useCaptcha('report');
  const form = useForm({
    fields: ['reason', 'subject', 'email', 'message', 'file'],
    check,
    send: async (data) => {
      const file = data.get('file');
      // Browsers send an empty file if none was chosen.
      if (file instanceof File && file.size > 0) await checkPicture(file);
      else data.delete('file');
      data.set('ref', (location.pathname + location.search).slice(0, bounds.ref));
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
  const reasons = bounds.reasons.map(
    (code) => [code, textOf({ code: `reason_${code}` }, code)] as const,
  );
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
        <Field form={form} name="subject" label={say('subject')} maxLength={bounds.subject} />
      )}
      {/* A member's address is already known. */}
      {!me && <EmailField form={form} name="email" label={say('email')} />}
      <TextArea
        form={form}
        name="message"
        label={say(about ? 'details' : 'message')}
        hint={say('messageHint', { max: bounds.message })}
        required={!about}
      />
      <FileField
        form={form}
        name="file"
        accept={pictureTypes()}
        label={say('file')}
        choose={say('chooseFile')}
        none={say('noFile')}
      />
      <CaptchaPlace captcha={captcha} />
      <Submit form={form}>{say('send')}</Submit>
    </FormBox>
  );
}
