/** The screen where members edit their videos. If the address names none, they edit their profile. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { post } from '@/api/client';
import { UPLOAD_STATUS, type UploadStatus } from '@/api/status';
import { useAccountText } from '@/i18n/account';
import { usePlayerText } from '@/i18n/player';
import { useUploadText } from '@/i18n/upload';
import { GENDERS, LANGS } from '@/lib/audience';
import { oneOf } from '@/lib/one-of';
import { paths } from '@/shared/address/paths';
import { Redirect } from '@/shared/layout/redirect';
import { useVisitor } from '@/lib/visitor';
import { LoadError } from '@/ui/problem';
import { toast } from '@/ui/toast';
import type { Limits } from './file-checks';
import { CaptionsPart } from '@/shared/captions/captions-part';
import { VISIBLE } from '@/shared/details/details';
import { useNames } from '@/shared/details/use-names';
import { asForm } from './film-fields';
import { FilmForm } from './film-form';
import { MemberFrame, Waiting } from '@/shared/account/member-frame';
import { ownQuery, type Own } from './own-query';
import { Frame } from './frame';
import { Poster } from './poster';
import { Replacement } from './replacement';
import { Shots } from './shots';
import { uploadsQuery } from './uploads-query';

/** Statuses of videos whose film can be replaced: they are or will be shown. */
const REPLACEABLE: readonly UploadStatus[] = [
  UPLOAD_STATUS.published,
  UPLOAD_STATUS.inReview,
  UPLOAD_STATUS.scheduled,
];

export default function EditScreen({ search }: { search: string }) {
  const say = useUploadText();
  const id = Number(new URLSearchParams(search).get('video_id'));
  const isVideo = Number.isSafeInteger(id) && id > 0;
  return (
    <MemberFrame title={useAccountText()('editVideo')} lead={say('editHint')}>
      {({ user_id }) =>
        isVideo ? <Edit key={id} id={id} /> : <Redirect to={paths.memberTab(user_id, 'info')} />
      }
    </MemberFrame>
  );
}

function Edit({ id }: { id: number }) {
  const own = useQuery(ownQuery(id));
  // The form's limits come with the list of uploads.
  const uploads = useQuery(uploadsQuery);
  const names = useNames(own.data);
  const failed = [own, uploads].find(({ error, data }) => error && !data);
  if (failed?.error) {
    return <LoadError error={failed.error} onRetry={() => void failed.refetch()} />;
  }
  if (!own.data || !uploads.data || !names) return <Waiting />;
  return <EditForm own={own.data} names={names} limits={uploads.data.limits} />;
}

interface Props {
  own: Own;
  names: NonNullable<ReturnType<typeof useNames>>;
  limits: Limits;
}

function EditForm({ own, names, limits }: Props) {
  const say = useUploadText();
  const player = usePlayerText();
  const { lang, gender } = useVisitor();
  const client = useQueryClient();
  const { video_id, title, shots, shot, poster, status_id, publish_at } = own;
  const refresh = () => client.invalidateQueries({ queryKey: ownQuery(video_id).queryKey });
  return (
    <>
      <FilmForm
        name={title}
        limits={limits}
        first={{
          title,
          description: own.description,
          lang: oneOf(LANGS, own.lang, lang),
          orientation: oneOf(GENDERS, own.gender, gender),
          ...names,
          isPrivate: own.visible === VISIBLE.private,
          chapters: own.chapters,
          isExclusive: false,
          publishAt: status_id === UPLOAD_STATUS.published ? null : (publish_at ?? ''),
        }}
        send={async (fields) => {
          await post('/api/video_edit.php', { video_id, ...asForm(fields) });
          await refresh();
          void toast(say('didDescribe'));
        }}
      />
      {REPLACEABLE.includes(status_id) && shots.length > 0 && (
        <Replacement
          videoId={video_id}
          isExclusive={own.is_exclusive}
          limits={limits}
          onDone={refresh}
        />
      )}
      {shots.length > 0 && (
        <>
          {/* A custom poster is used instead of any of these frames. */}
          <Shots
            key={poster}
            videoId={video_id}
            title={title}
            shots={shots}
            {...(poster === undefined && { chosen: shot })}
            onDone={refresh}
          />
          <Poster
            videoId={video_id}
            title={title}
            poster={poster}
            limits={limits}
            onDone={refresh}
          />
          <Frame videoId={video_id} title={title} limits={limits} onDone={refresh} />
          <section aria-labelledby="captions" className="flex flex-col gap-4">
            <h2 id="captions" className="text-sm font-semibold">
              {player('captions')}
            </h2>
            <CaptionsPart
              editor="owner"
              videoId={video_id}
              title={title}
              titleLang={own.lang}
              captions={own.captions}
              hint={say('captionsHint')}
              saved={say('didSendCaptions')}
              onDone={refresh}
            />
          </section>
        </>
      )}
    </>
  );
}
