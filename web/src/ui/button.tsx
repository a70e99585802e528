/** Styles for buttons, and for links that look like buttons. */
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

const base =
  'inline-flex min-h-10 items-center justify-center gap-2 rounded-control px-4 py-1.5 text-sm font-semibold transition-colors disabled:opacity-50';

export const button = {
  primary: `${base} bg-accent text-on-accent hover:brightness-110`,
  danger: `${base} bg-danger text-bg hover:brightness-110`,
  plain: `${base} bg-raised text-ink hover:bg-hover`,
  icon: 'grid size-10 place-items-center rounded-control text-muted transition-colors hover:bg-raised hover:text-ink touch',
} as const;

type Props = ComponentProps<'button'> & { look: keyof typeof button };

/** A button that doesn't submit a form. */
export const Button = ({ look, className, ...rest }: Props) => (
  <button type="button" {...rest} className={cn(button[look], className)} />
);
