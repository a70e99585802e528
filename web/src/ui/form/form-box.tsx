import type { ReactNode } from 'react';
import type { Form } from './use-form';

interface Props {
  form: Form;
  /** Somebody types, perhaps for the first time. */
  onBegin?: () => void;
  /** The form's accessible name. */
  label?: string;
  className?: string;
  children: ReactNode;
}

/** A form whose words about mistakes are ours, in the visitor's language. */
export function FormBox({ form, onBegin, label, className, children }: Props) {
  return (
    <form
      method="post"
      noValidate
      aria-label={label}
      onSubmit={form.onSubmit}
      onInput={(event) => {
        onBegin?.();
        form.onInput(event);
      }}
      className={className ?? 'flex w-full flex-col gap-5'}
    >
      {children}
    </form>
  );
}
