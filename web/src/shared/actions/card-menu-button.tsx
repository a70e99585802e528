import type { ComponentProps } from 'react';
import { useActionText } from '@/i18n/actions';
import { cn } from '@/lib/cn';
import { PHONE, useMedia } from '@/lib/use-media';
import { MemberIcon } from '@/ui/member-icons';

type Props = { title: string; open?: boolean } & Omit<ComponentProps<'button'>, 'title'>;

export function CardMenuButton({ title, open = false, ...rest }: Props) {
  const say = useActionText();
  const isPhone = useMedia(PHONE);
  return (
    <button
      type="button"
      aria-label={say('more', { title })}
      aria-haspopup="menu"
      aria-expanded={open}
      {...rest}
      className={cn(
        'grid size-9 place-items-center rounded-full touch',
        isPhone
          ? 'text-muted'
          : 'bg-black/70 text-white transition-opacity focus-visible:opacity-100',
        // With a mouse, the button appears when the pointer is over its card.
        !isPhone && !open && 'opacity-0 group-hover/card:opacity-100',
      )}
    >
      <MemberIcon name="more" size={20} />
    </button>
  );
}
