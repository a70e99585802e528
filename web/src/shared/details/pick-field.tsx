/** A field in which several items are selected by typing. Selected items are above the box, and matches are below it. */
import { useRef, useState, type KeyboardEvent } from 'react';
import { useUploadText } from '@/i18n/upload';
import { useT } from '@/i18n';
import { control, Frame } from '@/ui/form/field';
import type { Form } from '@/ui/form/use-form';
import { Icon } from '@/ui/icons';
import { Named } from '@/ui/named';
import type { PickOption } from './details';
import { PickList } from './pick-list';

interface Props {
  form: Form;
  name: string;
  label: string;
  placeholder: string;
  most: number;
  chosen: readonly PickOption[];
  onChange: (chosen: readonly PickOption[]) => void;
  text: string;
  onType: (text: string) => void;
  /** The matches for the text, or null while loading. */
  options: readonly PickOption[] | null;
}

export function PickField(props: Props) {
  const { form, name, label, placeholder, most, chosen, onChange, text, onType } = props;
  const say = useUploadText();
  const input = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const isFull = chosen.length >= most;
  const options = (props.options ?? []).filter(
    ({ dir }) => !chosen.some((other) => other.dir === dir),
  );
  const isShown = isOpen && !isFull && options.length > 0;
  const nothing = isOpen && !isFull && text.trim() !== '' && props.options?.length === 0;

  const type = (next: string) => {
    onType(next);
    setActive(0);
    setOpen(true);
  };
  const choose = (option: PickOption) => {
    onChange([...chosen, option]);
    onType('');
    // A selection fixes an error, although nothing was typed.
    form.clearError(name);
    setActive(0);
  };
  const remove = (dir: string) => {
    onChange(chosen.filter((other) => other.dir !== dir));
    input.current?.focus();
  };
  const keyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return; // these keys belong to the input method
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const last = chosen.at(-1);
    if (step) {
      event.preventDefault();
      if (isShown) setActive((old) => (old + step + options.length) % options.length);
      else setOpen(true);
    } else if (event.key === 'Enter') {
      // Only the button submits the form.
      event.preventDefault();
      const option = isShown ? options[active] : undefined;
      if (option) choose(option);
    } else if (event.key === 'Escape' && isShown) {
      event.preventDefault();
      setOpen(false);
    } else if (event.key === 'Backspace' && text === '' && last) {
      remove(last.dir);
    }
  };

  return (
    <Frame form={form} name={name} label={label} hint={say('upTo', { max: most })}>
      {(ties) => (
        <div className="relative flex flex-col gap-2">
          <Chosen label={label} chosen={chosen} onRemove={remove} />
          <input
            ref={input}
            type="text"
            role="combobox"
            {...ties}
            aria-autocomplete="list"
            aria-expanded={isShown}
            aria-controls={`${ties.id}-list`}
            aria-activedescendant={isShown ? `${ties.id}-list-${String(active)}` : undefined}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            placeholder={isFull ? '' : placeholder}
            readOnly={isFull}
            value={text}
            onChange={(event) => type(event.target.value)}
            onFocus={() => setOpen(true)}
            onBlur={() => setOpen(false)}
            onClick={() => setOpen(true)}
            onKeyDown={keyDown}
            className={`${control} h-11 read-only:opacity-60`}
          />
          <PickList
            id={`${ties.id}-list`}
            label={label}
            options={isShown ? options : []}
            active={active}
            onChoose={choose}
          />
          <p role="status" className={nothing ? 'text-xs text-muted' : 'sr-only'}>
            {nothing ? say('nothingFits') : ''}
          </p>
        </div>
      )}
    </Frame>
  );
}

interface ChosenProps {
  label: string;
  chosen: readonly PickOption[];
  onRemove: (dir: string) => void;
}

function Chosen({ label, chosen, onRemove }: ChosenProps) {
  const t = useT();
  if (chosen.length === 0) return null;
  return (
    <ul aria-label={label} className="flex flex-wrap gap-2">
      {chosen.map(({ dir, title, detail }) => (
        <li key={dir}>
          <button
            type="button"
            aria-label={t('filter.remove', { name: title })}
            onClick={() => onRemove(dir)}
            className="touch flex min-h-8 items-center gap-1.5 rounded-full bg-accent-soft ps-3 pe-2 text-sm font-medium text-accent transition-colors hover:bg-hover"
          >
            <Named title={title} detail={detail} />
            <Icon name="close" size={14} />
          </button>
        </li>
      ))}
    </ul>
  );
}
