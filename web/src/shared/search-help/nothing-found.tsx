import { Link } from 'wouter';
import { paths } from '@/shared/address/paths';
import { useVideoChips } from '@/shared/filters/use-video-chips';
import { useT } from '@/i18n';
import { formatNumber } from '@/lib/format';
import { useVisitor } from '@/lib/visitor';
import { useVideoListing } from '@/search/video-listing';
import { Button, button } from '@/ui/button';
import { Panel } from '@/ui/problem';
import { hasWords } from './has-words';
import { useSearchText } from '@/i18n/search';

/** Shows that nothing was found, and suggests what to do next. */
export default function NothingFound() {
  const t = useT();
  const { scope, state, results } = useVideoListing();
  const { chips, clear } = useVideoChips();
  if (results.pages > 0 && state.page > results.pages) return <NoPage />;
  return (
    <>
      <Panel
        title={t('empty.videos')}
        text={
          chips.length > 0
            ? t('empty.fewerFilters')
            : scope.kind === 'search'
              ? t('empty.otherWords')
              : undefined
        }
      >
        {chips.length > 0 && (
          <Button look="primary" onClick={clear}>
            {t('filter.clear')}
          </Button>
        )}
        <Link href={paths.videos('most-popular')} className={button.plain}>
          {t('empty.popular')}
        </Link>
        <Link href={paths.categories} className={button.plain}>
          {t('nav.categories')}
        </Link>
      </Panel>
      {scope.kind === 'search' && <MinusHint />}
    </>
  );
}

/** Leads from a page beyond the end to the last one. */
function NoPage() {
  const t = useSearchText();
  const { lang } = useVisitor();
  const { state, results, href } = useVideoListing();
  return (
    <Panel title={t('noPage', { page: formatNumber(state.page, lang) })}>
      <Link href={href({ page: results.pages })} className={button.primary}>
        {t('lastPage')}
      </Link>
    </Panel>
  );
}

/** Explains how a minus excludes words, or that exclusions alone match nothing. */
function MinusHint() {
  const t = useSearchText();
  const { query } = useVideoListing().state;
  return (
    <p className="-mt-8 px-4 pb-12 text-center text-sm text-pretty text-muted">
      {hasWords(query) ? t('minus') : t('onlyMinus')}
    </p>
  );
}
