/** Sending a form once: which fields are wrong, and what else went wrong. What was typed stays with the caller. */
import { useCallback, useRef, useState } from 'react';
import { useErrorText } from '@/i18n/errors';
import { fieldCodes } from '@/lib/field-codes';

export interface Sending {
  busy: boolean;
  /** What is wrong with a field, in the visitor's language. */
  errorOf: (field: string) => string | undefined;
  /** What is wrong with no field of the form. */
  problem: string | undefined;
  /** Shows faults found before anything is sent. */
  refuse: (faults: Partial<Record<string, unknown>>) => void;
  /** Sends, unless something is being sent. True where it worked. */
  submit: (send: () => Promise<unknown>) => Promise<boolean>;
}

/** `fields` are those the form has; faults of others are told below it. */
export function useForm(fields: readonly string[]): Sending {
  const text = useErrorText();
  const [busy, setBusy] = useState(false);
  const [faults, setFaults] = useState<Partial<Record<string, unknown>>>({});
  const [failure, setFailure] = useState<unknown>(null);
  const sending = useRef(false);
  const submit = useCallback(
    async (send: () => Promise<unknown>) => {
      if (sending.current) return false;
      sending.current = true;
      setBusy(true);
      setFaults({});
      setFailure(null);
      try {
        await send();
        return true;
      } catch (error) {
        const found = fieldCodes(error);
        setFaults(found);
        if (!Object.keys(found).some((field) => fields.includes(field))) setFailure(error);
        return false;
      } finally {
        sending.current = false;
        setBusy(false);
      }
    },
    [fields],
  );
  const refuse = useCallback((found: Partial<Record<string, unknown>>) => {
    setFaults(found);
    setFailure(null);
  }, []);
  return {
    busy,
    errorOf: (field) => (faults[field] ? text(faults[field]) : undefined),
    problem: failure === null ? undefined : text(failure),
    refuse,
    submit,
  };
}
