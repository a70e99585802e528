/** The screen where members edit their albums. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { Link } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { UPLOAD_STATUS } from '@/api/status';
import { useAccountText } from '@/i18n/account';
import { useAlbumText } from '@/i18n/album';
import { useErrorText } from '@/i18n/errors';
import { GENDERS, LANGS } from '@/lib/audience';
import { oneOf } from '@/lib/one-of';
import { useVisitor } from '@/lib/visitor';
import { paths } from '@/shared/address/paths';
import { MemberFrame, Waiting } from '@/shared/account/member-frame';
import type { Me } from '@/shared/account/use-me';
import { ConfirmButton } from '@/shared/actions/confirm-button';
import { albumState, mayDelete } from '@/shared/albums/state';
import { StateLine } from '@/shared/albums/state-line';
import { VISIBLE, type Details } from '@/shared/details/details';
import { useNames } from '@/shared/details/use-names';
import { albumQuery } from '@/shared/queries/community';
import { refresh } from '@/shared/queries/fresh';
import { button } from '@/ui/button';
import { LoadError } from '@/ui/problem';
import { toast } from '@/ui/toast';
import { AlbumEditor } from './album-editor';
import { useDiscard } from './discard';
import { ownQuery } from './own-query';
import type { Limits } from './picture-checks';
import { settled, workOf, type Own } from './work';
import { changeWork, findWork, hasUnsent, setWork, useWork } from './works';

export default function EditAlbumScreen({ search }: { search: string }) {
  const say = useAlbumText();
  const id = Number(new URLSearchParams(search).get('album_id'));
  return (
    <MemberFrame title={useAccountText()('editAlbum')} lead={say('editLead')}>
      {(me) => <Edit key={id} id={id} me={me} />}
    </MemberFrame>
  );
}

function Edit({ id, me }: { id: number; me: Me }) {
  const { lang, gender } = useVisitor();
  const { data, error, refetch } = useQuery(ownQuery(id));
  const own = data?.album ?? undefined;
  const names = useNames(own);
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data || !own || !names) return <Waiting />;
  const details: Details = {
    title: own.title,
    description: own.description,
    lang: oneOf(LANGS, own.lang, lang),
    orientation: oneOf(GENDERS, own.gender, gender),
    ...names,
    isPrivate: own.visible === VISIBLE.private,
  };
  return <EditForm own={own} details={details} limits={data.limits} me={me} />;
}

interface Props {
  own: Own;
  details: Details;
  limits: Limits;
  me: Me;
}

function EditForm({ own, details, limits, me }: Props) {
  const say = useAlbumText();
  const textOf = useErrorText();
  const { lang } = useVisitor();
  const client = useQueryClient();
  const owned = useDiscard();
  const { album_id, title, reason } = own;
  const name = String(album_id);
  const isThere = useWork(name) !== undefined;
  const begin = useEffectEvent(() => {
    const work = findWork(name);
    // Unsent changes on this page take precedence over the server's state.
    if (!work || !hasUnsent(work)) setWork(name, workOf(own, details));
  });
  useEffect(() => {
    begin();
  }, []);
  if (!isThere) return <Waiting />;
  const album = { status_id: own.status_id, is_private: details.isPrivate };
  const state = albumState(album);
  const ownList = paths.memberTab(me.user_id, 'albums');
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex min-w-0 flex-col gap-1">
          <StateLine state={state} />
          {state === 'rejected' && reason && (
            <p className="text-sm text-pretty">{textOf({ code: `rejected_${reason}` })}</p>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {state === 'published' && (
            <Link href={`/album/${name}/`} className={button.plain}>
              {say('view')}
            </Link>
          )}
          {mayDelete(album, me.status_id) && (
            <ConfirmButton
              label={say('delete')}
              name={`${say('delete')}: ${title}`}
              onConfirm={() => {
                owned.discard(name);
                navigate(ownList);
                void toast(say('didDelete'));
              }}
            />
          )}
        </div>
      </div>
      <AlbumEditor
        name={name}
        title={title}
        limits={limits}
        first={details}
        onDone={async (statusId) => {
          changeWork(name, settled);
          await client.invalidateQueries({ queryKey: ownQuery(album_id).queryKey });
          await owned.refresh();
          void refresh(client, albumQuery(album_id, lang));
          const isNews =
            state === 'draft' || (statusId === UPLOAD_STATUS.inReview && state !== 'moderation');
          await toast(isNews ? say('didUpload', { title }) : say('didSave'));
        }}
      />
    </>
  );
}
