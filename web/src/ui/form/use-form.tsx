/** A form that is sent to the API. Its input is kept, nothing is sent twice, and errors are shown at their fields. */
import { useCallback, useEffect, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { useErrorText, type ErrorFacts } from '@/i18n/errors';
import { fieldCodes } from '@/lib/field-codes';

/** Errors by field. The object is empty if the form is valid. */
export type Problems = Partial<Record<string, ErrorFacts>>;

interface Options {
  /** Fields that the form shows. An error in any other field is shown above the button. */
  fields: readonly string[];
  /** Validates the form before it is sent. */
  check?: (data: FormData, element: HTMLFormElement) => Problems;
  /** Sends the form. If it throws an error, the form shows it. */
  send: (data: FormData, element: HTMLFormElement) => Promise<unknown>;
}

export interface Form {
  pending: boolean;
  error: (field: string) => string | undefined;
  /** An error that belongs to no field. */
  problem: string | undefined;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  /** Clears the error of a field that is being corrected. */
  clearError: (field: string) => void;
}

export function useForm({ fields, check, send }: Options): Form {
  const textOf = useErrorText();
  const [problems, setProblems] = useState<Problems>({});
  const [failure, setFailure] = useState<unknown>(null);
  const [pending, setPending] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const busy = useRef(false);
  const element = useRef<HTMLFormElement>(null);

  useEffect(() => {
    // Focus the first invalid field on the page, but only then: correcting it must not move the focus to the next.
    if (refusals === 0) return;
    const first = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    first?.focus({ preventScroll: true });
    first?.scrollIntoView({ block: 'nearest' });
  }, [refusals]);

  const refuse = (error: unknown) => {
    const codes = fieldCodes(error);
    const here = Object.fromEntries(
      Object.entries(codes).filter(([field]) => fields.includes(field)),
    );
    const others = Object.entries(codes).find(([field]) => !fields.includes(field));
    setProblems(here);
    setRefusals((count) => count + 1);
    setFailure(others?.[1] ?? (Object.keys(here).length > 0 ? null : error));
  };

  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy.current) return;
    const sent = event.currentTarget;
    element.current = sent;
    const data = new FormData(sent);
    const found = check?.(data, sent) ?? {};
    setProblems(found);
    setFailure(null);
    if (Object.keys(found).length > 0) {
      setRefusals((count) => count + 1);
      return;
    }
    busy.current = true;
    setPending(true);
    void send(data, sent)
      .catch(refuse)
      .finally(() => {
        busy.current = false;
        setPending(false);
      });
  };

  const clearError = useCallback(
    (field: string) =>
      setProblems((old) => {
        if (!old[field]) return old;
        const { [field]: _mended, ...left } = old;
        return left;
      }),
    [],
  );

  return {
    pending,
    problem: failure === null ? undefined : textOf(failure),
    error: (field) => {
      const problem = problems[field];
      return problem && textOf(problem);
    },
    onSubmit,
    clearError,
  };
}

interface BoxProps {
  form: Form;
  /** Called when the user starts typing. */
  onBegin?: () => void;
  label?: string;
  className?: string;
  children: ReactNode;
}

/** A form that shows our own error messages in the visitor's language instead of the browser's. */
export function FormBox({ form, onBegin, label, className, children }: BoxProps) {
  return (
    <form
      method="post"
      noValidate
      aria-label={label}
      onSubmit={form.onSubmit}
      onInput={(event) => {
        onBegin?.();
        form.clearError((event.target as HTMLInputElement).name);
      }}
      className={className ?? 'flex w-full flex-col gap-5'}
    >
      {children}
    </form>
  );
}

/** Returns a field's text, trimmed. */
export const textField = (data: FormData, name: string): string => {
  const value = data.get(name);
  return typeof value === 'string' ? value.trim() : '';
};

/** Returns a password without trimming it. */
export const secretField = (data: FormData, name: string): string => {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
};
