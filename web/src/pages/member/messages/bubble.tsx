import { ConfirmButton } from '@/shared/actions/confirm-button';
import { useMemberText } from '@/i18n/member';
import { cn } from '@/lib/cn';
import { age, fullDate } from '@/lib/format';
import { useVisitor } from '@/lib/visitor';
import { Icon } from '@/ui/icons';
import type { Message } from './thread';

export function Bubble({ message, onDelete }: { message: Message; onDelete: () => void }) {
  const say = useMemberText();
  const { lang } = useVisitor();
  const { own, text, created_at, read, message_id } = message;
  return (
    <div className={cn('flex max-w-[85%] flex-col', own ? 'items-end self-end' : 'self-start')}>
      <p
        className={cn(
          'rounded-card px-3.5 py-2 text-sm whitespace-pre-line',
          own ? 'bg-accent-soft' : 'bg-raised',
          message_id < 0 && 'opacity-80',
        )}
      >
        {text}
      </p>
      <p className="flex min-h-8 items-center gap-1 px-1 text-xs text-muted">
        <time dateTime={created_at} title={fullDate(created_at, lang)}>
          {age(created_at, lang)}
        </time>
        {own && read && (
          <span title={say('read')}>
            <Icon name="check" size={14} />
            <span className="sr-only">{say('read')}</span>
          </span>
        )}
        {message_id > 0 && (
          <ConfirmButton
            label=""
            name={say('deleteMessage')}
            question={say('deleteMessage')}
            onConfirm={onDelete}
          />
        )}
      </p>
    </div>
  );
}
