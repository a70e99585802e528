/** A field of a form with its name above and what is wrong with it below. */
import { useId, type ReactNode } from 'react';
import { cn } from '@/lib/cn';

export const control =
  'w-full rounded-control border border-control bg-bg px-3 text-base text-ink placeholder:text-muted aria-invalid:border-danger sm:text-sm';

interface Named {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean;
}

interface Props {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  className?: string;
  children: (named: Named) => ReactNode;
}

export function Field({ label, hint, error, className, children }: Props) {
  const id = useId();
  const note = `${id}-note`;
  return (
    <div className={cn('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': error !== undefined || hint ? note : undefined,
        'aria-invalid': error !== undefined,
      })}
      {(error !== undefined || hint) && (
        <p
          id={note}
          role={error === undefined ? undefined : 'alert'}
          className={cn('text-xs', error === undefined ? 'text-muted' : 'text-danger')}
        >
          {error ?? hint}
        </p>
      )}
    </div>
  );
}
