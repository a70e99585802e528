/** The member's uploads, and the drop zone for new ones. */
import { useRef } from 'react';
import { waitText } from '@/i18n/errors';
import { useUploadText } from '@/i18n/upload';
import { useVisitor } from '@/lib/visitor';
import { MemberIcon } from '@/ui/member-icons';
import { LoadError } from '@/ui/problem';
import { toast } from '@/ui/toast';
import { addFiles } from './add-files';
import { Announcer } from './announcer';
import { accepted } from './file-checks';
import { DropZone } from '@/shared/files/drop-zone';
import { bytesText } from '@/shared/files/figures';
import { Waiting } from '@/shared/account/member-frame';
import { rowsOf } from './rows';
import { useTransfers } from './transfers';
import { UploadCard } from './upload-card';
import { useUploads } from './uploads-query';
import { formatList } from './why';

/** Says that the shown states may be outdated. */
function Reconnecting() {
  const say = useUploadText();
  return (
    <p
      role="status"
      className="flex items-center gap-2 rounded-card border border-line bg-surface px-4 py-3 text-sm text-pretty"
    >
      <MemberIcon name="warning" size={16} />
      {say('reconnecting')}
    </p>
  );
}

export function Uploads() {
  const say = useUploadText();
  const { lang } = useVisitor();
  const { data, error, refetch, dataUpdatedAt, isLost } = useUploads();
  const here = useTransfers();
  const list = useRef<HTMLHeadingElement>(null);
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data) return isLost ? <Reconnecting /> : <Waiting />;
  const { limits, uploads } = data;
  // New films of videos are with the details of their videos.
  const rows = rowsOf(uploads, here, dataUpdatedAt).filter(({ replaces }) => replaces === null);
  const rules = say('limits', {
    size: bytesText(limits.max_bytes, lang),
    other: waitText(limits.other_seconds, lang),
    exclusive: waitText(limits.exclusive_seconds, lang),
  });
  const take = async (files: File[]) => {
    const known = await addFiles(files, data);
    for (const name of known) await toast(say('already', { name }), 'error');
  };
  return (
    <>
      {isLost && <Reconnecting />}
      <DropZone accept={accepted(limits)} hint={rules} onFiles={(files) => void take(files)} />
      <div className="flex flex-col gap-1 text-xs text-pretty text-muted">
        <p>{rules}</p>
        <p>{say('formats', { list: formatList(limits) })}</p>
      </div>
      <section aria-labelledby="uploads" className="flex flex-col gap-4">
        <h2
          id="uploads"
          ref={list}
          tabIndex={-1}
          className="scroll-mt-24 text-lg font-semibold tracking-tight outline-none"
        >
          {say('list')}
        </h2>
        {rows.length === 0 && <p className="text-sm text-muted">{say('none')}</p>}
        <ul className="flex flex-col gap-4">
          {rows.map((row) => (
            <UploadCard
              key={row.key}
              row={row}
              limits={limits}
              onRemove={() => list.current?.focus()}
            />
          ))}
        </ul>
      </section>
      <Announcer rows={rows} />
    </>
  );
}
