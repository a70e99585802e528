/** The button next to a video list that saves or removes it. Also records the visit. */
import { useEffect, useRef } from 'react';
import { useSavedText } from '@/i18n/saved';
import { cn } from '@/lib/cn';
import { useVisitor } from '@/lib/visitor';
import { useVideoListing } from '@/search/video-listing';
import { newSince } from './new-since';
import { addressOfList, findSaved, keyOf } from './searches';
import { useListLabel } from './use-list-label';
import { useSaved } from './use-saved';

const SHAPE = 'M7 4h10v16l-5-4-5 4V4Z';

export default function SaveSearch() {
  const say = useSavedText();
  const { gender } = useVisitor();
  const { scope, state } = useVideoListing();
  const { list, save, remove } = useSaved();
  const label = useListLabel();
  const address = addressOfList({ list: 'videos', scope, state }, gender);
  useVisit(address, state.page);
  const saved = list && findSaved(list, address);
  return (
    <button
      type="button"
      aria-pressed={saved !== undefined}
      aria-label={say('save')}
      title={say('save')}
      disabled={!list}
      onClick={() => {
        if (saved) remove(saved);
        else save(label, address);
      }}
      className={cn(
        'grid size-10 shrink-0 place-items-center rounded-control bg-raised transition-colors hover:bg-hover disabled:opacity-50 pointer-coarse:size-11',
        saved && 'text-accent',
      )}
    >
      <svg
        width={18}
        height={18}
        viewBox="0 0 24 24"
        fill={saved ? 'currentColor' : 'none'}
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        <path d={SHAPE} />
      </svg>
    </button>
  );
}

/** Records a visit to a saved list. While the list is open, marks videos that were posted after the previous visit. */
function useVisit(address: string, page: number) {
  const { list, see } = useSaved();
  const key = keyOf(address);
  const saved = list && findSaved(list, address);
  const visited = useRef<string | null>(null);
  useEffect(() => {
    if (!list || visited.current === key) return;
    visited.current = key;
    if (newSince.read()?.list === key) return;
    newSince.write(saved ? { list: key, since: saved.seen_at } : null);
    if (saved) see(saved);
  }, [key, list, saved, see]);
  const shownAt = useRef('');
  useEffect(() => {
    shownAt.current = location.pathname;
  }, [key, page]);
  useEffect(
    () => () => {
      visited.current = null;
      // Changing the language renders the list again in place, so the visit continues.
      if (location.pathname !== shownAt.current) newSince.write(null);
    },
    [],
  );
}
