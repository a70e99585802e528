/** Shows an upload's details, or the form for entering them. */
import { post } from '@/api/client';
import { useUploadText } from '@/i18n/upload';
import { useOpen } from '@/lib/use-open';
import { useVisitor } from '@/lib/visitor';
import { Button } from '@/ui/button';
import { Icon } from '@/ui/icons';
import { toast } from '@/ui/toast';
import { setExclusive } from './add-files';
import { draftOf, storeDraft } from './drafts';
import type { Limits } from './file-checks';
import { asForm, type FilmFields } from './film-fields';
import { FilmForm } from './film-form';
import { titleFrom } from './film-title';
import { tokenOf } from './queue';
import type { Row } from './rows';
import { refreshUploads } from './uploads-query';

export function FilmPart({ row, limits }: { row: Row; limits: Limits }) {
  const say = useUploadText();
  const { lang, gender } = useVisitor();
  const changing = useOpen();
  const { key, name, item, transfer } = row;
  const title = item?.title ?? null;
  const draft = draftOf(key);
  if (title !== null && !changing.isOpen) {
    return (
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="flex min-w-0 items-center gap-2 text-sm">
          <Icon name="check" size={18} />
          <span className="min-w-0">{say('described', { title })}</span>
        </p>
        {/* Details sent in an earlier visit exist only on the server. */}
        {draft && (
          <Button look="plain" aria-label={`${say('change')}: ${title}`} onClick={changing.open}>
            {say('change')}
          </Button>
        )}
      </div>
    );
  }
  const send = async (fields: FilmFields) => {
    storeDraft(key, fields);
    const token = item?.token ?? (await tokenOf(key));
    if (token === null) return;
    // This call may have been queued, so use the latest input.
    await post('/api/video_edit.php', { upload: token, ...asForm(draftOf(key) ?? fields) });
    await refreshUploads();
    changing.close();
    void toast(say('didDescribe'));
  };
  return (
    <FilmForm
      name={name}
      limits={limits}
      first={
        draft ?? {
          title: titleFrom(name, limits.title_max),
          description: '',
          lang,
          orientation: gender,
          categories: [],
          models: [],
          isPrivate: false,
          chapters: '',
          isExclusive: false,
          publishAt: '',
        }
      }
      onKeep={(fields) => storeDraft(key, fields)}
      onExclusive={(isExclusive) => setExclusive(key, isExclusive, limits)}
      send={send}
      meanwhile={transfer?.token === null ? say('savedLater') : undefined}
    />
  );
}
