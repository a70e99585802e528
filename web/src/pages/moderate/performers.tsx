/** The people who appear in an upload, with proof of their age and consent. */
import { useState } from 'react';
import { post } from '@/api/client';
import { useErrorText } from '@/i18n/errors';
import { useModerateText } from '@/i18n/moderate';
import { fullDate } from '@/lib/format';
import { useVisitor } from '@/lib/visitor';
import { Button } from '@/ui/button';
import { Field, FileField, Select, Submit } from '@/ui/form/field';
import { FormBox, useForm } from '@/ui/form/use-form';
import { toast } from '@/ui/toast';
import { Box } from './facts';
import type { Performer, Staff, Upload } from './queries';
import { useStepUp } from './step-up';
import { SureDialog } from './sure-dialog';

interface Props {
  upload: Upload;
  staff: Staff;
  onDone: () => Promise<void>;
}

export function Performers({ upload, staff, onDone }: Props) {
  const say = useModerateText();
  const { performers } = upload;
  // A new version shows the models of its video, whose consents count for both.
  const id = upload.upload.replaces ?? upload.upload.id;
  return (
    <Box title={say('models')}>
      {performers.length === 0 && <p className="text-sm">{say('noModels')}</p>}
      <ul className="flex flex-col gap-4">
        {performers.map((performer) => (
          <li key={performer.dir}>
            <One {...{ performer, staff, onDone }} item={{ ...upload.upload, id }} />
          </li>
        ))}
      </ul>
    </Box>
  );
}

interface OneProps extends Omit<Props, 'upload'> {
  performer: Performer;
  item: Upload['upload'];
}

function One({ performer, item, staff, onDone }: OneProps) {
  const say = useModerateText();
  const { lang } = useVisitor();
  const [isOpen, setIsOpen] = useState(false);
  const { title, birth_date, signed_on, verified_by, revoked_at, proof } = performer;
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p className="font-semibold">{title}</p>
      <p className="text-muted">{say('born', { date: fullDate(birth_date, lang) })}</p>
      {signed_on ? (
        <p>{say('consented', { date: fullDate(signed_on, lang), name: verified_by ?? '—' })}</p>
      ) : (
        <p className="font-semibold text-danger">
          {revoked_at ? say('revoked', { date: fullDate(revoked_at, lang) }) : say('noConsent')}
        </p>
      )}
      {proof && (
        <a href={proof} className="text-accent underline">
          {say('openCopy')}
        </a>
      )}
      {isOpen ? (
        <ConsentForm
          {...{ performer, item, staff }}
          onDone={async () => {
            await onDone();
            setIsOpen(false);
          }}
        />
      ) : (
        <Button look="plain" className="self-start" onClick={() => setIsOpen(true)}>
          {say('record')}
        </Button>
      )}
      {signed_on && <Revoke {...{ performer, item, onDone }} />}
    </div>
  );
}

/** Revokes the model's consent. */
function Revoke({ performer: { dir, title }, item, onDone }: Omit<OneProps, 'staff'>) {
  const say = useModerateText();
  const textOf = useErrorText();
  const stepUp = useStepUp();
  const [isAsked, setIsAsked] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const revoke = async () => {
    setProblem(null);
    const { id } = item;
    const section = item.section as 'video' | 'album';
    try {
      await stepUp(() => post('/api/moderate/revoke_consent', { section, id, model: dir }));
      void toast(say('done_revoke'));
      await onDone();
    } catch (error) {
      setProblem(error);
    }
  };
  return (
    <>
      {problem !== null && (
        <p role="alert" className="text-danger">
          {textOf(problem)}
        </p>
      )}
      <Button look="plain" className="self-start" onClick={() => setIsAsked(true)}>
        {say('revoke')}
      </Button>
      {isAsked && (
        <SureDialog
          title={say('revoke')}
          text={say('sureRevoke', { name: title })}
          onSure={() => void revoke()}
          onClose={() => setIsAsked(false)}
        />
      )}
    </>
  );
}

function ConsentForm({ performer: { dir, title }, item, staff, onDone }: OneProps) {
  const say = useModerateText();
  const stepUp = useStepUp();
  const form = useForm({
    fields: ['signed_on', 'document', 'reference', 'proof'],
    send: async (data) => {
      data.set('section', item.section);
      data.set('id', String(item.id));
      data.set('model', dir);
      await stepUp(() => post('/api/moderate/consent', data));
      void toast(say('done_consent'));
      await onDone();
    },
  });
  return (
    <FormBox form={form} label={say('consentOf', { name: title })}>
      <Field form={form} name="signed_on" label={say('signedOn')} type="date" />
      <Select
        form={form}
        name="document"
        label={say('document')}
        options={staff.documents.map(
          (kind) => [kind, say(`doc_${kind}` as 'doc_passport')] as const,
        )}
      />
      <Field
        form={form}
        name="reference"
        label={say('reference')}
        maxLength={staff.note_max}
        autoComplete="off"
      />
      <FileField
        form={form}
        name="proof"
        label={say('copy')}
        accept="application/pdf,image/jpeg,image/png,image/webp"
        choose={say('chooseFile')}
        none={say('noFile')}
      />
      <Submit form={form} beside={null}>
        {say('record')}
      </Submit>
    </FormBox>
  );
}
