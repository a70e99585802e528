/** The viewer's saved searches. A member's come from the server and a guest's from the browser, but the interface is the same. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { sendAct, type ActOf } from '@/api/act';
import { useSavedText } from '@/i18n/saved';
import { limits } from '@/lib/limits';
import { useVisitor } from '@/lib/visitor';
import { useMe } from '@/shared/account/use-me';
import { changeKnown } from '@/shared/actions/at-once';
import { useOptimistic } from '@/shared/actions/use-optimistic';
import { listQuery, listUrl, type ListAnswer } from '@/shared/queries/own-lists';
import { toast } from '@/ui/toast';
import { changeGuestSaved, useGuestSaved } from './guest-saved';
import { inNameOrder, withSaved, type SavedSearch } from './searches';

type Answer = ListAnswer<'saved_searches'>;

interface SavedSearches {
  /** Undefined while loading. */
  list: SavedSearch[] | undefined;
  error: Error | null;
  retry: () => void;
  save: (name: string, address: string) => void;
  rename: (saved: SavedSearch, name: string) => void;
  remove: (saved: SavedSearch) => void;
  /** Records a visit. */
  see: (saved: SavedSearch) => void;
}

const now = (): string => new Date().toISOString();
// This compares addresses, because the id of a search that was just saved isn't known yet.
const isOther =
  ({ address }: SavedSearch) =>
  (other: SavedSearch): boolean =>
    other.address !== address;
const replaced =
  (saved: SavedSearch, patch: Partial<SavedSearch>) =>
  (list: SavedSearch[]): SavedSearch[] =>
    list.map((other) => (isOther(saved)(other) ? other : { ...other, ...patch }));

export function useSaved(): SavedSearches {
  const me = useMe();
  const { lang } = useVisitor();
  const guest = useGuestSavedList();
  const member = useMemberSaved();
  const saved = me ? member : guest;
  const list = me === undefined ? undefined : saved.list && inNameOrder(saved.list, lang);
  return { ...saved, list };
}

function useGuestSavedList(): SavedSearches {
  const say = useSavedText();
  const list = useGuestSaved();
  return {
    list,
    error: null,
    retry: () => undefined,
    save: (name, address) => {
      const isKnown = list.some((saved) => saved.address === address);
      const { saved_searches: count } = limits();
      if (!isKnown && list.length >= count) {
        void toast(say('full', { count }), 'error');
        return;
      }
      changeGuestSaved((before) => withSaved(before, { name, address, seen_at: now() }));
      void toast(say('didSave'));
    },
    rename: (saved, name) => {
      changeGuestSaved(replaced(saved, { name }));
      void toast(say('didRename'));
    },
    remove: (saved) => {
      changeGuestSaved((before) => before.filter(isOther(saved)));
      void toast(say('didRemove'), 'success', () => {
        changeGuestSaved((before) => withSaved(before, saved));
      });
    },
    see: (saved) => {
      changeGuestSaved(replaced(saved, { seen_at: now() }));
    },
  };
}

function useMemberSaved(): SavedSearches {
  const say = useSavedText();
  const me = useMe();
  const { lang } = useVisitor();
  const client = useQueryClient();
  const atOnce = useOptimistic();
  const url = listUrl('saved_searches', 1, lang);
  const { data, error, refetch } = useQuery({
    ...listQuery('saved_searches', 1, lang),
    enabled: Boolean(me),
  });
  const changed =
    (change: (list: SavedSearch[]) => SavedSearch[]) =>
    (answer: Answer): Answer => ({ ...answer, saved_searches: change(answer.saved_searches) });
  const send = (act: ActOf<'saved_search'>) => () => sendAct(act);
  return {
    list: data?.saved_searches,
    error,
    retry: () => void refetch(),
    save: (title, address) =>
      void atOnce<Answer>({
        url,
        change: changed((list) => withSaved(list, { name: title, address, seen_at: now() })),
        send: send({ act: 'saved_search', section: 'add', title, address }),
        done: say('didSave'),
        name: 'save search',
      }),
    rename: (saved, title) =>
      void atOnce<Answer>({
        url,
        change: changed(replaced(saved, { name: title })),
        send: send({ act: 'saved_search', section: 'upd', address: saved.address, title }),
        done: say('didRename'),
      }),
    remove: (saved) =>
      void atOnce<Answer>({
        url,
        change: changed((list) => list.filter(isOther(saved))),
        send: send({ act: 'saved_search', section: 'rem', address: saved.address }),
        done: say('didRemove'),
        undo: send({
          act: 'saved_search',
          section: 'add',
          title: saved.name,
          address: saved.address,
          seen_at: Math.floor(Date.parse(saved.seen_at) / 1000),
        }),
      }),
    see: (saved) => {
      changeKnown(client, [url], changed(replaced(saved, { seen_at: now() })));
      // The visit is sent in the background. If this fails, the next visit sends it again.
      send({ act: 'saved_search', section: 'seen', address: saved.address })().catch(
        () => undefined,
      );
    },
  };
}
