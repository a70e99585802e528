/** A profile picture: the current one, or a preview of the newly chosen one. */
import { useEffect, useId, useMemo } from 'react';
import { SmallButton } from '@/shared/actions/confirm-button';
import { cn } from '@/lib/cn';
import { pictureTypes } from '@/shared/files/picture-types';
import { button } from '@/ui/button';
import { useMemberText } from '@/i18n/member';

interface Props {
  label: string;
  /** Whether the picture is wide like a cover, not round like a portrait. */
  wide?: boolean;
  current: string | null;
  file: File | undefined;
  error: string | undefined;
  /** The requirements for the picture. */
  hint: string;
  onPick: (file: File) => void;
  /** Removes the current picture when the form is saved. It is null if there is no picture. */
  onRemove: (() => void) | null;
}

export function PictureField(props: Props) {
  const { label, wide = false, current, file, error, hint, onPick, onRemove } = props;
  const say = useMemberText();
  const id = useId();
  const preview = useMemo(() => (file ? URL.createObjectURL(file) : null), [file]);
  useEffect(
    () => () => {
      if (preview) URL.revokeObjectURL(preview);
    },
    [preview],
  );
  const shown = preview ?? current;
  return (
    <div className={cn('flex gap-4', wide ? 'flex-col' : 'items-center')}>
      <div
        className={cn(
          'overflow-hidden bg-raised',
          wide ? 'aspect-[4/1] w-full rounded-card' : 'size-24 shrink-0 rounded-full',
        )}
      >
        {shown && <img src={shown} alt={label} className="size-full object-cover" />}
      </div>
      <div className="flex flex-col gap-1.5">
        <label
          htmlFor={id}
          className={cn(
            button.plain,
            'self-start has-focus-visible:outline-2 has-focus-visible:outline-accent',
          )}
        >
          {say('choose', { title: label })}
          <input
            id={id}
            type="file"
            accept={pictureTypes()}
            className="sr-only"
            aria-invalid={error !== undefined}
            aria-describedby={[error && `${id}-error`, `${id}-hint`].filter(Boolean).join(' ')}
            onChange={({ target }) => {
              const chosen = target.files?.[0];
              if (chosen) onPick(chosen);
            }}
          />
        </label>
        {onRemove && (
          <SmallButton
            aria-label={say('removeNamed', { title: label })}
            className="self-start"
            onClick={onRemove}
          >
            {say('remove')}
          </SmallButton>
        )}
        {error !== undefined && (
          <p id={`${id}-error`} role="alert" className="text-xs text-danger">
            {error}
          </p>
        )}
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      </div>
    </div>
  );
}
