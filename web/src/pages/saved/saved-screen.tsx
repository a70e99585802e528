/** The page `/saved-searches/`, which shows the viewer's saved lists and what is new in them. */
import { useMe } from '@/shared/account/use-me';
import { useSaved } from '@/shared/saved/use-saved';
import { useT } from '@/i18n';
import { useSavedText } from '@/i18n/saved';
import { heading, useTitle } from '@/lib/title';
import { LoadError, Panel } from '@/ui/problem';
import { SavedRow } from './saved-row';

export default function SavedScreen() {
  const t = useT();
  const say = useSavedText();
  const me = useMe();
  const { list, error, retry, rename, remove } = useSaved();
  useTitle(t('nav.saved'));
  return (
    <div className="page flex max-w-4xl flex-col gap-5 pt-6 lg:pt-8">
      <div>
        <h1 className={heading}>{t('nav.saved')}</h1>
        <p className="min-h-5 pt-1 text-sm text-muted">{me === null && say('guest')}</p>
      </div>
      {list && list.length > 0 ? (
        <ul className="flex flex-col gap-3">
          {list.map((saved) => (
            <SavedRow
              key={saved.address}
              saved={saved}
              onRename={(name) => rename(saved, name)}
              onRemove={() => remove(saved)}
            />
          ))}
        </ul>
      ) : list ? (
        <Panel title={say('none')}>
          <p className="max-w-md text-sm text-muted">{say('howTo', { save: say('save') })}</p>
        </Panel>
      ) : error ? (
        <LoadError error={error} onRetry={retry} />
      ) : (
        <div className="min-h-[80dvh]" aria-busy="true" />
      )}
    </div>
  );
}
