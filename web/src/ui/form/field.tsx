/** Fields with a label, hint and error, which are associated for screen readers. */
import {
  useId,
  useState,
  type ChangeEventHandler,
  type InputHTMLAttributes,
  type ReactNode,
  type TextareaHTMLAttributes,
} from 'react';
import { cn } from '@/lib/cn';
import { button } from '@/ui/button';
import type { Form } from './use-form';

interface LabelProps {
  name: string;
  label: string;
  form: Form;
  hint?: string | undefined;
}

/** The style of inputs and selects. */
export const control =
  'w-full rounded-control border border-control bg-bg px-3 text-base text-ink placeholder:text-muted aria-invalid:border-danger disabled:opacity-60 sm:text-sm';

function FieldError({ id, text }: { id: string; text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p id={`${id}-error`} role="alert" className="text-sm text-danger">
      {text}
    </p>
  );
}

function Hint({ id, text }: { id: string; text: string | undefined }) {
  if (!text) return null;
  return (
    <p id={`${id}-hint`} className="text-xs text-muted">
      {text}
    </p>
  );
}

/** Returns the ids and ARIA attributes that associate a field with its texts. */
function useFieldIds({ name, form, hint }: LabelProps) {
  const id = useId();
  const error = form.error(name);
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return {
    id,
    name,
    'aria-invalid': error !== undefined,
    'aria-describedby': described || undefined,
  };
}

/** A field between its label and its error. `children` renders the field. */
export function Frame(
  props: LabelProps & { children: (ties: ReturnType<typeof useFieldIds>) => ReactNode },
) {
  const { name, label, form, hint, children } = props;
  const ties = useFieldIds(props);
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={ties.id} className="text-sm font-semibold">
        {label}
      </label>
      {children(ties)}
      <FieldError id={ties.id} text={form.error(name)} />
      <Hint id={ties.id} text={hint} />
    </div>
  );
}

type Input = LabelProps & Omit<InputHTMLAttributes<HTMLInputElement>, keyof LabelProps>;

export function Field({ name, label, form, hint, ...rest }: Input) {
  return (
    <Frame {...{ name, label, form, hint }}>
      {(ties) => <input {...rest} {...ties} className={`${control} h-11`} />}
    </Frame>
  );
}

type Area = LabelProps & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, keyof LabelProps>;

export function TextArea({ name, label, form, hint, ...rest }: Area) {
  return (
    <Frame {...{ name, label, form, hint }}>
      {(ties) => <textarea rows={5} {...rest} {...ties} className={`${control} py-2`} />}
    </Frame>
  );
}

interface FileChoice extends LabelProps {
  accept: string;
  /** The button's label. The browser's own button would have texts in the browser's language. */
  choose: string;
  none: string;
  onChoose?: (file: File | undefined) => void;
}

export function FileField(props: FileChoice) {
  const { accept, choose, none, onChoose } = props;
  const [chosen, setChosen] = useState<string>();
  return (
    <Frame {...props}>
      {(ties) => (
        <span
          className={cn(
            control,
            ties['aria-invalid'] && 'border-danger',
            'relative flex h-11 items-center gap-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
          )}
        >
          <span aria-hidden="true" className="font-semibold whitespace-nowrap">
            {choose}
          </span>
          <span className="truncate text-muted">{chosen ?? none}</span>
          <input
            type="file"
            accept={accept}
            {...ties}
            className="absolute inset-0 cursor-pointer opacity-0"
            onChange={(event) => {
              const file = event.target.files?.[0];
              setChosen(file?.name);
              onChoose?.(file);
            }}
          />
        </span>
      )}
    </Frame>
  );
}

interface Choice extends LabelProps {
  options: readonly (readonly [string, string])[];
  defaultValue?: string;
  required?: boolean;
  onChange?: ChangeEventHandler<HTMLSelectElement>;
}

export function Select(props: Choice) {
  const { options, defaultValue, required, onChange } = props;
  return (
    <Frame {...props}>
      {(ties) => (
        <select
          {...ties}
          defaultValue={defaultValue}
          required={required}
          onChange={onChange}
          className={`${control} h-11`}
        >
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Frame>
  );
}

type Box = LabelProps &
  Pick<InputHTMLAttributes<HTMLInputElement>, 'required' | 'defaultChecked' | 'onChange'>;

export function Checkbox(props: Box) {
  const { name, label, form, hint, ...rest } = props;
  const ties = useFieldIds(props);
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-start gap-3">
        <input type="checkbox" value="1" {...rest} {...ties} className="mt-0.5 size-5 shrink-0" />
        <label htmlFor={ties.id} className="text-sm">
          {label}
        </label>
      </div>
      <FieldError id={ties.id} text={form.error(name)} />
      <Hint id={ties.id} text={hint} />
    </div>
  );
}

/** An error that belongs to no field. */
export function Problem({ form: { problem } }: { form: Form }) {
  if (problem === undefined) return null;
  return (
    <p role="alert" className="text-sm text-danger">
      {problem}
    </p>
  );
}

interface SubmitProps {
  form: Form;
  /** Whether the action can't be undone. */
  danger?: boolean;
  /** Content next to the button. Without any, the button is as wide as the form. */
  beside?: ReactNode;
  children: ReactNode;
}

/** The error for the whole form, followed by the submit button. */
export function Submit({ form, danger = false, beside, children }: SubmitProps) {
  const wide = beside === undefined;
  return (
    <div className="flex flex-col gap-3">
      <Problem form={form} />
      <div className="flex flex-wrap justify-end gap-2">
        {beside}
        <button
          type="submit"
          disabled={form.pending}
          aria-busy={form.pending}
          className={cn(danger ? button.danger : button.primary, wide && 'h-11 w-full')}
        >
          {children}
        </button>
      </div>
    </div>
  );
}
