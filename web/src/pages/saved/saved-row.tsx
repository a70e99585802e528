import { useQuery } from '@tanstack/react-query';
import { useId, useState, type ReactNode, type SubmitEvent } from 'react';
import { Link } from 'wouter';
import { get } from '@/api/client';
import { useSavedText } from '@/i18n/saved';
import { age, formatNumber } from '@/lib/format';
import { limits } from '@/lib/limits';
import { useVisitor } from '@/lib/visitor';
import { smallLook, SmallButton } from '@/shared/actions/confirm-button';
import { newestFirst, type SavedSearch } from '@/shared/saved/searches';
import { Button } from '@/ui/button';
import { control } from '@/ui/form/field';
import { MemberIcon } from '@/ui/member-icons';

interface Props {
  saved: SavedSearch;
  onRename: (name: string) => void;
  onRemove: () => void;
}

export function SavedRow({ saved, onRename, onRemove }: Props) {
  const say = useSavedText();
  const [isNaming, setNaming] = useState(false);
  const { name, address } = saved;
  return (
    <li className="flex flex-col gap-1 rounded-card bg-raised px-4 py-3">
      {isNaming ? (
        <NameForm
          name={name}
          onDone={(next) => {
            setNaming(false);
            if (next && next !== name) onRename(next);
          }}
        />
      ) : (
        <h2 className="text-base font-semibold break-words">
          <Link href={address} className="touch hover:text-accent hover:underline">
            {name}
          </Link>
        </h2>
      )}
      <News saved={saved}>
        <SmallButton aria-label={say('renameNamed', { name })} onClick={() => setNaming(true)}>
          <MemberIcon name="edit" size={14} />
          {say('rename')}
        </SmallButton>
        <SmallButton aria-label={say('removeNamed', { name })} onClick={onRemove}>
          <MemberIcon name="bin" size={14} />
          {say('remove')}
        </SmallButton>
      </News>
    </li>
  );
}

/** Shows the number of new videos, the last visit, and the feed. */
function News({ saved, children }: { saved: SavedSearch; children: ReactNode }) {
  const say = useSavedText();
  const { lang } = useVisitor();
  const { name, address, seen_at } = saved;
  const since = Math.floor(Date.parse(seen_at) / 1000);
  const { data, isError } = useQuery({
    ...get('/api/new_videos.php', { address, since, lang }),
    staleTime: 0,
  });
  const count = data?.new_videos ?? 0;
  const quiet = 'flex min-h-8 items-center text-sm text-muted';
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4">
      <div role="status" className="flex flex-wrap items-center gap-x-3">
        {count > 0 ? (
          <Link
            href={newestFirst(address)}
            className="flex min-h-8 items-center text-sm font-semibold text-accent underline-offset-4 hover:underline pointer-coarse:min-h-11"
          >
            {say('new', { count: formatNumber(count, lang) })}
          </Link>
        ) : (
          <span className={quiet}>
            {say(isError ? 'unknown' : data ? 'nothingNew' : 'new', { count: '…' })}
          </span>
        )}
        <time dateTime={seen_at} className={quiet}>
          {age(seen_at, lang)}
        </time>
      </div>
      <div className="-ms-2 flex flex-wrap items-center">
        {data && (
          <a href={data.feed} className={smallLook} aria-label={say('feedOf', { name })}>
            {say('feed')}
          </a>
        )}
        {children}
      </div>
    </div>
  );
}

function NameForm({ name, onDone }: { name: string; onDone: (name: string) => void }) {
  const say = useSavedText();
  const id = useId();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const written = new FormData(event.currentTarget).get('name');
    onDone(typeof written === 'string' ? written.trim() : '');
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-center gap-2">
      <label htmlFor={id} className="sr-only">
        {say('name')}
      </label>
      <input
        id={id}
        name="name"
        required
        maxLength={limits().saved_name}
        defaultValue={name}
        // Moves the focus into the field when renaming.
        ref={(node) => node?.focus()}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onDone('');
        }}
        className={`${control} h-11 min-w-0 flex-1 basis-56`}
      />
      <Button look="primary" type="submit" className="min-h-11">
        {say('keep')}
      </Button>
      <Button look="plain" className="min-h-11" onClick={() => onDone('')}>
        {say('cancel')}
      </Button>
    </form>
  );
}
