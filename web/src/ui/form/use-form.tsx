/** A form on its way to the API: what was typed stays, nothing is sent twice, errors find their fields. */
import { useCallback, useEffect, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { useErrorText, type ErrorFacts } from '@/i18n/errors';
import { fieldCodes } from '@/lib/field-codes';

/** What is wrong by field; empty where nothing is. */
export type Problems = Partial<Record<string, ErrorFacts>>;

interface Options {
  /** Fields the form shows; an error of any other is shown above the button. */
  fields: readonly string[];
  /** What can be checked before anything is sent. */
  check?: (data: FormData) => Problems;
  /** Sends it; what it throws is shown. */
  send: (data: FormData, element: HTMLFormElement) => Promise<unknown>;
}

export interface Form {
  pending: boolean;
  error: (field: string) => string | undefined;
  /** What is wrong with none of the fields. */
  problem: string | undefined;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  /** Forgets the error of the field that is being mended. */
  mend: (field: string) => void;
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
    // The first field in the order of the page is where mending begins. Only then: whoever mends it is not led on to the next.
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
    const found = check?.(data) ?? {};
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

  const mend = useCallback((field: string) => {
    setProblems((old) => {
      if (!old[field]) return old;
      const { [field]: _mended, ...left } = old;
      return left;
    });
  }, []);

  return {
    pending,
    problem: failure === null ? undefined : textOf(failure),
    error: (field) => {
      const problem = problems[field];
      return problem && textOf(problem);
    },
    onSubmit,
    mend,
  };
}

interface BoxProps {
  form: Form;
  /** Somebody types, perhaps for the first time. */
  onBegin?: () => void;
  label?: string;
  className?: string;
  children: ReactNode;
}

/** A form whose words about mistakes are ours, in the visitor's language. */
export function FormBox({ form, onBegin, label, className, children }: BoxProps) {
  return (
    <form
      method="post"
      noValidate
      aria-label={label}
      onSubmit={form.onSubmit}
      onInput={(event) => {
        onBegin?.();
        form.mend((event.target as HTMLInputElement).name);
      }}
      className={className ?? 'flex w-full flex-col gap-5'}
    >
      {children}
    </form>
  );
}

/** The text of a field, without blanks around it. */
export const textField = (data: FormData, name: string): string => {
  const value = data.get(name);
  return typeof value === 'string' ? value.trim() : '';
};

/** A password, which may begin and end as it likes. */
export const secretField = (data: FormData, name: string): string => {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
};
