/** Replaces the film of a video: lets its owner choose a file, and shows what becomes of it. */
import { useEffect, useEffectEvent, useRef } from 'react';
import { useUploadText } from '@/i18n/upload';
import { waitText } from '@/i18n/errors';
import { useVisitor } from '@/lib/visitor';
import { Bar } from '@/shared/files/bar';
import { FileButton } from '@/shared/files/drop-zone';
import { bytesText } from '@/shared/files/figures';
import { toast } from '@/ui/toast';
import { addFiles } from './add-files';
import { Announcer } from './announcer';
import { AskAgain } from './ask-again';
import { CardActs } from './card-acts';
import { accepted, type Limits } from './file-checks';
import { TransferBar } from './progress';
import { drop } from './queue';
import { isOver, rowsOf, showsProgress, type Row } from './rows';
import { StageLine } from './stage-line';
import { stageText } from './stage-text';
import { useTransfers } from './transfers';
import { useUploads } from './uploads-query';
import { formatList, Why } from './why';

interface Props {
  videoId: number;
  /** Whether the new film may be as short as those made exclusively for this site. */
  isExclusive: boolean;
  limits: Limits;
  /** Called when a new film is no longer on its way, because it has replaced the former one or was canceled. */
  onDone: () => Promise<void>;
}

export function Replacement({ videoId, isExclusive, limits, onDone }: Props) {
  const say = useUploadText();
  const { lang } = useVisitor();
  const { data, dataUpdatedAt } = useUploads();
  const here = useTransfers();
  const heading = useRef<HTMLHeadingElement>(null);
  const rows = rowsOf(data?.uploads ?? [], here, dataUpdatedAt).filter(
    ({ replaces }) => replaces === videoId,
  );
  // Earlier ones were rejected or failed.
  const row = rows.at(0);
  const end = useEffectEvent(() => void onDone());
  const isOn = row !== undefined;
  const wasOn = useRef(false);
  useEffect(() => {
    if (wasOn.current && !isOn) end();
    wasOn.current = isOn;
  }, [isOn]);
  const rules = say('limits', {
    size: bytesText(limits.max_bytes, lang),
    other: waitText(limits.other_seconds, lang),
    exclusive: waitText(limits.exclusive_seconds, lang),
  });
  const take = async (file: File) => {
    if (row?.stage === 'refused') drop(row.key);
    const known = await addFiles(
      [file],
      { uploads: data?.uploads ?? [], limits },
      { videoId, isExclusive },
    );
    for (const name of known) await toast(say('already', { name }), 'error');
  };
  return (
    <section aria-labelledby="replacement" className="flex flex-col gap-4">
      <h2
        id="replacement"
        ref={heading}
        tabIndex={-1}
        className="scroll-mt-24 text-sm font-semibold outline-none"
      >
        {say('replace')}
      </h2>
      <p className="text-xs text-pretty text-muted">{say('replaceHint')}</p>
      {row && <Card row={row} limits={limits} onRemove={() => heading.current?.focus()} />}
      {(!row || isOver(row.stage)) && (
        <div className="flex flex-col items-start gap-3">
          <FileButton
            label={say('replaceChoose')}
            accept={accepted(limits)}
            hint={rules}
            onFiles={([file]) => file && void take(file)}
          />
          <p className="text-xs text-pretty text-muted">
            {`${rules} ${say('formats', { list: formatList(limits) })}`}
          </p>
        </div>
      )}
      <Announcer rows={rows} />
    </section>
  );
}

function Card({ row, limits, onRemove }: { row: Row; limits: Limits; onRemove: () => void }) {
  const say = useUploadText();
  const { lang } = useVisitor();
  const { name, size, stage, item } = row;
  return (
    <div className="flex flex-col gap-3 rounded-card border border-line bg-surface p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <p className="min-w-0 text-sm break-words">
          {name} <span className="text-muted">· {bytesText(size, lang)}</span>
        </p>
        <CardActs row={row} onRemove={onRemove} />
      </div>
      <StageLine row={row} />
      {showsProgress(stage) && <TransferBar row={row} />}
      {stage === 'working' && item?.percent != null && (
        <Bar label={stageText(row, say)} percent={item.percent} />
      )}
      <Why row={row} limits={limits} />
      {stage === 'interrupted' && item && <AskAgain item={item} limits={limits} />}
    </div>
  );
}
