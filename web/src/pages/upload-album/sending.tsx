/** Shows an album's upload progress. */
import { useAlbumText } from '@/i18n/album';
import { useUploadText } from '@/i18n/upload';
import { useVisitor } from '@/lib/visitor';
import { Bar } from '@/shared/files/bar';
import { bytesText, percentOf } from '@/shared/files/figures';
import { Button } from '@/ui/button';
import { progressOf, type Work } from './work';

export function Sending({ work, onStop }: { work: Work; onStop: () => void }) {
  const say = useAlbumText();
  const upload = useUploadText();
  const { lang } = useVisitor();
  const { total, done, bytes, sent } = progressOf(work);
  const isAll = done === total;
  const figures = upload('ofSize', { sent: bytesText(sent, lang), size: bytesText(bytes, lang) });
  return (
    <section
      aria-labelledby="sending"
      className="sticky bottom-4 z-10 flex flex-col gap-3 rounded-card border border-line bg-surface p-4 shadow-pop"
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="sending" className="text-sm font-semibold">
          {isAll ? say('finishing') : say('sending', { number: done + 1, total })}
        </h2>
        <Button look="plain" className="min-h-11" onClick={onStop}>
          {say('stop')}
        </Button>
      </div>
      <Bar
        label={say('progress')}
        percent={total > 0 ? percentOf(sent, bytes) : 100}
        figures={total > 0 ? [figures] : []}
      />
      <p className="text-xs text-muted">{say('keepOpen')}</p>
      <p role="status" className="sr-only">
        {isAll ? say('finishing') : say('begun', { total })}
      </p>
    </section>
  );
}
