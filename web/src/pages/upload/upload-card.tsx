/** Shows one upload: its details, its progress, and what the member has to do. */
import { useId } from 'react';
import { Link } from 'wouter';
import { useUploadText } from '@/i18n/upload';
import { useVisitor } from '@/lib/visitor';
import { button } from '@/ui/button';
import { MemberIcon } from '@/ui/member-icons';
import { AskAgain } from './ask-again';
import { CardActs } from './card-acts';
import { Bar } from '@/shared/files/bar';
import { fullTime } from '@/shared/details/publish-time';
import { bytesText } from '@/shared/files/figures';
import type { Limits } from './file-checks';
import { FilmPart } from './film-part';
import { TransferBar } from './progress';
import { showsProgress, isOpen, type Row } from './rows';
import { Frame } from './frame';
import { Poster } from './poster';
import { Shots } from './shots';
import { StageLine } from './stage-line';
import { stageText } from './stage-text';
import { refreshUploads } from './uploads-query';
import { Why } from './why';

interface Props {
  row: Row;
  limits: Limits;
  onRemove: () => void;
}

export function UploadCard({ row, limits, onRemove }: Props) {
  const say = useUploadText();
  const { lang } = useVisitor();
  const id = useId();
  const { name, size, stage, item } = row;
  const title = item?.title ?? name;
  const video = item?.video;
  const asksFile = stage === 'interrupted' && item;
  return (
    <li>
      <article
        aria-labelledby={id}
        className="flex flex-col gap-5 rounded-card border border-line bg-surface p-4 sm:p-5"
      >
        <div className="flex flex-col gap-3">
          <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
            <div className="min-w-0">
              <h3 id={id} className="font-semibold break-words">
                {title}
              </h3>
              <p className="text-xs break-words text-muted">
                {[...(title === name ? [] : [name]), bytesText(size, lang)].join(' · ')}
              </p>
            </div>
            <CardActs row={row} onRemove={onRemove} />
          </div>
          <StageLine row={row} />
          {video?.publish_at && (
            <p className="text-sm">
              <time dateTime={video.publish_at}>
                {say('scheduledFor', { date: fullTime(video.publish_at, lang) })}
              </time>
            </p>
          )}
          {showsProgress(stage) && <TransferBar row={row} />}
          {stage === 'working' && item?.percent != null && (
            <Bar label={stageText(row, say)} percent={item.percent} />
          )}
          <Why row={row} limits={limits} />
          {video?.has_lost_audio && (
            <p className="flex items-center gap-2 text-sm text-pretty">
              <MemberIcon name="warning" size={16} />
              {say('silent')}
            </p>
          )}
          {asksFile && <AskAgain item={asksFile} limits={limits} />}
        </div>
        {isOpen(stage) && <FilmPart row={row} limits={limits} />}
        {stage === 'choosing' && video && (
          <Shots
            videoId={video.video_id}
            title={title}
            shots={video.shots}
            onDone={refreshUploads}
          />
        )}
        {stage === 'choosing' && video && (
          <>
            <Poster
              videoId={video.video_id}
              title={title}
              limits={limits}
              onDone={refreshUploads}
            />
            <Frame videoId={video.video_id} title={title} limits={limits} onDone={refreshUploads} />
          </>
        )}
        {video && (
          <div className="flex flex-wrap gap-2">
            {stage === 'published' && (
              <Link
                href={`/videos/${String(video.video_id)}/`}
                aria-label={`${say('watch')}: ${title}`}
                className={button.primary}
              >
                {say('watch')}
              </Link>
            )}
            <Link
              href={`/edit/?video_id=${String(video.video_id)}`}
              aria-label={`${say('edit')}: ${title}`}
              className={button.plain}
            >
              {say('edit')}
            </Link>
          </div>
        )}
      </article>
    </li>
  );
}
