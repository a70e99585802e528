/** Lets the visitor choose files with a button, or drop them anywhere on the page. */
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { useUploadText } from '@/i18n/upload';
import { cn } from '@/lib/cn';
import { button } from '@/ui/button';
import { MemberIcon } from '@/ui/member-icons';

interface Props {
  /** The accepted types, in the syntax of a file input. */
  accept: string;
  hint: string;
  onFiles: (files: File[]) => void;
}

const hasFiles = (event: DragEvent): boolean =>
  event.dataTransfer?.types.includes('Files') ?? false;

/**
 * Whether files are being dragged over the page. Dropping a file next to the zone must not navigate away, which would abort all uploads.
 */
function useFileDrop(onFiles: Props['onFiles']): boolean {
  const [isOver, setOver] = useState(false);
  const take = useEffectEvent(onFiles);
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      take([...(event.dataTransfer?.files ?? [])]);
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, []);
  return isOver;
}

interface ZoneProps extends Props {
  /** Whether the zone is smaller, because files were already added. */
  isSlim?: boolean;
}

export function DropZone({ accept, hint, onFiles, isSlim = false }: ZoneProps) {
  const say = useUploadText();
  const isOver = useFileDrop(onFiles);
  return (
    <div
      className={cn(
        'flex flex-col items-center gap-3 rounded-card border-2 border-dashed px-4 text-center transition-colors',
        isSlim ? 'py-4' : 'py-8 sm:py-12',
        isOver ? 'border-accent bg-accent-soft' : 'border-control bg-surface',
      )}
    >
      {!isSlim && (
        <span className="text-muted">
          <MemberIcon name="upload" size={36} />
        </span>
      )}
      <FileButton label={say('choose')} accept={accept} hint={hint} onFiles={onFiles} isMain />
      <p className="text-sm text-muted pointer-coarse:hidden">{say(isOver ? 'dropNow' : 'drop')}</p>
    </div>
  );
}

interface ButtonProps extends Props {
  label: string;
  /** Whether it accepts several files and looks like the primary button. */
  isMain?: boolean;
}

/** A file input that looks like a button. */
export function FileButton({ label, accept, hint, onFiles, isMain = false }: ButtonProps) {
  const id = useId();
  return (
    <label
      className={cn(
        button[isMain ? 'primary' : 'plain'],
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
      )}
    >
      {label}
      <input
        type="file"
        accept={accept}
        multiple={isMain}
        aria-describedby={`${id}-hint`}
        className="sr-only"
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          // This allows choosing the same file again.
          target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
      <span id={`${id}-hint`} hidden>
        {hint}
      </span>
    </label>
  );
}
