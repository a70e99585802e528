/** The actions that each stage of an upload offers. */
import type { ReactNode } from 'react';
import { useT } from '@/i18n';
import { useUploadText } from '@/i18n/upload';
import { useRequireLogin } from '@/shared/account/use-require-login';
import { ConfirmButton, SmallButton } from '@/shared/actions/confirm-button';
import { Icon } from '@/ui/icons';
import { MemberIcon } from '@/ui/member-icons';
import { drop, pause, proceed } from './queue';
import { isOver, type Row, type Stage } from './rows';
import { askUploads, forgetUpload, refreshUploads } from './uploads-query';

/** At these stages nothing is running, so an upload is removed. At other stages it is canceled. */
const REMOVED: readonly Stage[] = ['refused', 'held', 'interrupted', 'undescribed', 'failed'];
const CANCELLED: readonly Stage[] = ['checking', 'queued', 'sending', 'paused', 'broken'];
/** At these stages a film that replaces another can be canceled, because its video stays. */
const CANCELLED_REPLACING: readonly Stage[] = [...CANCELLED, 'waiting', 'working', 'moderation'];

async function remove({ key, item, transfer }: Row): Promise<void> {
  const token = transfer?.token ?? item?.token;
  if (transfer) drop(key);
  if (!token) return;
  const { endUpload } = await import('./send');
  await endUpload(token);
  forgetUpload(token);
  await refreshUploads();
}

interface Props {
  row: Row;
  /** Called on removal, when the focus must move elsewhere. */
  onRemove: () => void;
}

export function CardActs({ row, onRemove }: Props) {
  const t = useT();
  const say = useUploadText();
  const act = useRequireLogin();
  const { key, name, stage, sent, replaces, transfer } = row;
  const button = (label: string, icon: ReactNode, onClick: () => void) => (
    <SmallButton aria-label={`${label}: ${name}`} onClick={onClick}>
      {icon}
      {label}
    </SmallButton>
  );
  const again = (label: string, icon: ReactNode) =>
    button(label, icon, () => {
      void act(async () => {
        // The session may have expired, so check that first.
        if (transfer?.failure?.code === 'need_auth') await askUploads();
        proceed(key);
      });
    });
  const takeAway = () => {
    onRemove();
    void act(() => remove(row));
  };
  const isCancel = (replaces === null ? CANCELLED : CANCELLED_REPLACING).includes(stage);
  const isRemove = REMOVED.includes(stage) || (replaces !== null && stage === 'rejected');
  const label = say(isCancel ? 'cancel' : 'remove');
  return (
    <div className="-mx-2 flex flex-wrap items-center gap-1">
      {stage === 'sending' &&
        transfer?.token &&
        button(say('pause'), <MemberIcon name="pause" size={14} />, () => pause(key))}
      {stage === 'paused' && again(say('resume'), <MemberIcon name="play" size={14} />)}
      {stage === 'broken' && again(t('action.retry'), <MemberIcon name="again" size={14} />)}
      {stage === 'held' && again(say('sendAnyway'), <MemberIcon name="upload" size={14} />)}
      {!isCancel && !isRemove ? null : sent > 0 && !isOver(stage) ? (
        <ConfirmButton
          label={label}
          name={`${label}: ${name}`}
          question={say('sureRemove')}
          onConfirm={takeAway}
        />
      ) : (
        button(label, <Icon name="close" size={14} />, takeAway)
      )}
    </div>
  );
}
