/** Decisions on an upload: approving, rejecting, taking down, or banning its member. */
import { useRef, useState } from 'react';
import { post } from '@/api/client';
import { UPLOAD_STATUS } from '@/api/status';
import { useErrorText } from '@/i18n/errors';
import { useModerateText } from '@/i18n/moderate';
import { ApiError } from '@/lib/http';
import { button } from '@/ui/button';
import { Field, Problem, Select, Checkbox } from '@/ui/form/field';
import { FormBox, textField, useForm } from '@/ui/form/use-form';
import { toast } from '@/ui/toast';
import { Box } from './facts';
import { useStepUp } from './step-up';
import { SureDialog } from './sure-dialog';
import type { Staff, Upload } from './queries';

interface Props {
  upload: Upload;
  staff: Staff;
  onDone: () => Promise<void>;
  /** Called if the upload has changed since it was shown. */
  onStale: () => Promise<void>;
}

type Act = 'approve' | 'reject' | 'takeDown';
/** The buttons' shortcuts. */
const KEYS: Record<Act, string> = { approve: 'a', reject: 'r', takeDown: 't' };

export function Verdict({ upload, staff, onDone, onStale }: Props) {
  const say = useModerateText();
  const stepUp = useStepUp();
  const textOf = useErrorText();
  const act = useRef<Act>('approve');
  /** The form for a take-down that awaits confirmation. */
  const [pendingForm, setPendingForm] = useState<HTMLFormElement | null>(null);
  const { id, revision, title } = upload.upload;
  const section = upload.upload.section as 'video' | 'album';
  const isWaiting = upload.status_id === UPLOAD_STATUS.inReview;
  const form = useForm({
    fields: ['reason', 'note', 'nobody'],
    check: (data) =>
      act.current === 'reject' && !textField(data, 'reason')
        ? { reason: { code: 'required' } }
        : {},
    send: async (data) => {
      const note = textField(data, 'note');
      try {
        const verdict = act.current;
        await stepUp(async () =>
          verdict === 'takeDown'
            ? post('/api/moderate/take_down', { section, id, note })
            : post('/api/moderate/decide', {
                section,
                id,
                revision,
                verdict,
                ...(verdict === 'reject' && { reason: textField(data, 'reason') as 'quality' }),
                nobody: data.has('nobody'),
                note,
              }),
        );
      } catch (error) {
        if (error instanceof ApiError && error.status === 409) await onStale();
        throw error;
      }
      void toast(say(`done_${act.current}`, { name: title }));
      await onDone();
    },
  });
  const submit = (name: Act) => (
    <button
      type="submit"
      data-key={KEYS[name]}
      disabled={form.pending}
      className={name === 'approve' ? button.primary : button.plain}
      onClick={(event) => {
        act.current = name;
        if (name !== 'takeDown') return;
        event.preventDefault();
        setPendingForm(event.currentTarget.form);
      }}
    >
      {say(name)}
    </button>
  );
  return (
    <Box title={say('verdict')}>
      <FormBox form={form} label={say('verdict')}>
        {isWaiting && upload.performers.length === 0 && (
          <Checkbox
            form={form}
            name="nobody"
            label={say(section === 'album' ? 'nobodyAlbum' : 'nobody')}
          />
        )}
        {isWaiting && (
          <Select
            form={form}
            name="reason"
            label={say('reason')}
            options={[
              // By default, no reason is chosen.
              ['', '—'] as const,
              ...staff.reasons.map(
                (reason) => [reason, textOf({ code: `rejected_${reason}` }, reason)] as const,
              ),
            ]}
          />
        )}
        <Field
          form={form}
          name="note"
          label={say('note')}
          maxLength={staff.note_max}
          autoComplete="off"
        />
        <Problem form={form} />
        <div className="flex flex-wrap gap-2">
          {isWaiting && submit('approve')}
          {isWaiting && submit('reject')}
          {submit('takeDown')}
        </div>
      </FormBox>
      {pendingForm && (
        <SureDialog
          title={say('takeDown')}
          text={say(section === 'album' ? 'sureTakeDownAlbum' : 'sureTakeDown')}
          onSure={() => {
            pendingForm.requestSubmit();
          }}
          onClose={() => {
            setPendingForm(null);
          }}
        />
      )}
      {upload.upload.username && <Ban name={upload.upload.username} onDone={onDone} />}
    </Box>
  );
}

function Ban({ name, onDone }: { name: string; onDone: () => Promise<void> }) {
  const say = useModerateText();
  const stepUp = useStepUp();
  const [isOpen, setIsOpen] = useState(false);
  const [pendingForm, setPendingForm] = useState<HTMLFormElement | null>(null);
  const form = useForm({
    fields: ['reason', 'uploads'],
    send: async (data) => {
      await stepUp(() =>
        post('/api/moderate/ban', {
          username: name,
          reason: textField(data, 'reason'),
          uploads: data.has('uploads'),
        }),
      );
      void toast(say('done_ban', { name }));
      await onDone();
    },
  });
  const label = say('ban', { name });
  if (!isOpen) {
    return (
      <button
        type="button"
        className={`${button.plain} self-start`}
        onClick={() => {
          setIsOpen(true);
        }}
      >
        {label}
      </button>
    );
  }
  return (
    <FormBox form={form} label={label}>
      <Field form={form} name="reason" label={say('banReason')} autoComplete="off" />
      <Checkbox form={form} name="uploads" label={say('banUploads')} />
      <Problem form={form} />
      <button
        type="submit"
        disabled={form.pending}
        className={`${button.primary} self-start`}
        onClick={(event) => {
          event.preventDefault();
          setPendingForm(event.currentTarget.form);
        }}
      >
        {label}
      </button>
      {pendingForm && (
        <SureDialog
          title={label}
          text={say('sureBan', { name })}
          onSure={() => {
            pendingForm.requestSubmit();
          }}
          onClose={() => {
            setPendingForm(null);
          }}
        />
      )}
    </FormBox>
  );
}
