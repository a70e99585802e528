/** The page `/muted/`, which lists what the viewer has muted. Each entry has an unmute button. */
import { Link } from 'wouter';
import { useT } from '@/i18n';
import { useCommunityText } from '@/i18n/community';
import { useMemberText } from '@/i18n/member';
import { heading, useTitle } from '@/lib/title';
import { ConfirmButton, SmallButton } from '@/shared/actions/confirm-button';
import { paths } from '@/shared/address/paths';
import HideWatched from '@/shared/mutes/hide-watched';
import { useMutes } from '@/shared/mutes/mutes';
import { NOTHING_MUTED } from '@/shared/mutes/rules';
import { type MuteTarget } from '@/shared/mutes/change';
import { useChangeMutes, useMute } from '@/shared/mutes/use-mute';
import { Panel } from '@/ui/problem';

export default function MutedScreen() {
  const t = useT();
  const say = useMemberText();
  const title = useCommunityText()('muted');
  const { categories, models, members } = useMutes();
  const change = useChangeMutes();
  useTitle(title);
  const isEmpty = categories.length + models.length + members.length === 0;
  const named = (kind: 'categories' | 'models') => (one: { dir: string; title: string }) => ({
    kind,
    ...one,
  });
  return (
    <div className="page flex max-w-3xl flex-col gap-6 pt-6 lg:pt-8">
      <h1 className={heading}>{title}</h1>
      <p className="text-sm text-muted">{say('mutedHint')}</p>
      <HideWatched />
      {isEmpty ? (
        <Panel title={say('mutedNone')} />
      ) : (
        <>
          <Group title={t('nav.categories')} items={categories.map(named('categories'))} />
          <Group title={t('nav.models')} items={models.map(named('models'))} />
          <Group
            title={say('members')}
            items={members.map(({ user_id, username }) => ({
              kind: 'members' as const,
              user_id,
              title: username,
            }))}
          />
          <div>
            <ConfirmButton
              label={say('showAll')}
              question={say('sureShowAll')}
              onConfirm={() =>
                void change({
                  change: () => NOTHING_MUTED,
                  fields: { act: 'mute', section: 'clear' },
                  done: say('shownAll'),
                })
              }
            />
          </div>
        </>
      )}
    </div>
  );
}

function hrefOf(what: MuteTarget): string {
  if (what.kind === 'members') return paths.member(what.user_id);
  return what.kind === 'models' ? paths.model(what.dir) : paths.category(what.dir);
}

function Group({ title, items }: { title: string; items: MuteTarget[] }) {
  const say = useMemberText();
  const mute = useMute();
  if (items.length === 0) return null;
  return (
    <section>
      <h2 className="pb-1 text-lg font-semibold tracking-tight">{title}</h2>
      <ul className="divide-y divide-line">
        {items.map((what) => (
          <li key={hrefOf(what)} className="flex min-h-12 items-center justify-between gap-3">
            <Link href={hrefOf(what)} className="touch min-w-0 truncate text-sm hover:underline">
              {what.title}
            </Link>
            <SmallButton
              aria-label={say('showAgainNamed', { title: what.title })}
              onClick={() => void mute(what, false)}
            >
              {say('showAgain')}
            </SmallButton>
          </li>
        ))}
      </ul>
    </section>
  );
}
