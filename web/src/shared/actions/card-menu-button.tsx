import type { ComponentProps } from 'react';
import { useActionText } from '@/i18n/actions';
import { cn } from '@/lib/cn';
import { MemberIcon } from '@/ui/member-icons';

type Props = { title: string; open?: boolean } & Omit<ComponentProps<'button'>, 'title'>;

export function CardMenuButton({ title, open = false, ...rest }: Props) {
  const say = useActionText();
  return (
    <button
      type="button"
      aria-label={say('more', { title })}
      aria-haspopup="menu"
      aria-expanded={open}
      {...rest}
      className={cn(
        'grid size-9 place-items-center rounded-full bg-black/70 text-white transition-opacity focus-visible:opacity-100 pointer-coarse:touch',
        // Where there is a mouse it shows with the card it belongs to.
        !open && 'pointer-fine:opacity-0 pointer-fine:group-hover/card:opacity-100',
      )}
    >
      <MemberIcon name="more" size={20} />
    </button>
  );
}
