/** The screen where members create albums. */
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useAccountText } from '@/i18n/account';
import { useAlbumText } from '@/i18n/album';
import { useVisitor } from '@/lib/visitor';
import { paths } from '@/shared/address/paths';
import { MemberFrame, Waiting } from '@/shared/account/member-frame';
import type { Me } from '@/shared/account/use-me';
import { ConfirmButton } from '@/shared/actions/confirm-button';
import { OwnAlbums } from '@/shared/albums/own-albums';
import { LoadError } from '@/ui/problem';
import { toast } from '@/ui/toast';
import { AlbumEditor } from './album-editor';
import { useDiscard } from './discard';
import { limitsQuery } from './own-query';
import { BEGUN, dropWork, findWork, useWork } from './works';

export default function UploadAlbumScreen() {
  const say = useAlbumText();
  const title = useAccountText()('uploadAlbum');
  return (
    <MemberFrame title={title} lead={say('uploadLead')}>
      {(me) => <NewAlbum me={me} title={title} />}
    </MemberFrame>
  );
}

function NewAlbum({ me: { user_id, status_id }, title }: { me: Me; title: string }) {
  const say = useAlbumText();
  const { lang, gender } = useVisitor();
  const limits = useQuery(limitsQuery);
  const work = useWork(BEGUN);
  const { refresh, discard } = useDiscard();
  // Counts albums, so that each gets a new form.
  const [count, setCount] = useState(0);
  const list = useRef<HTMLHeadingElement>(null);
  if (limits.error && !limits.data) {
    return <LoadError error={limits.error} onRetry={() => void limits.refetch()} />;
  }
  if (!limits.data) return <Waiting />;
  const begin = () => {
    list.current?.focus();
    setCount(count + 1);
  };
  return (
    <>
      <AlbumEditor
        key={count}
        name={BEGUN}
        title={title}
        limits={limits.data}
        first={{
          title: '',
          description: '',
          lang,
          orientation: gender,
          categories: [],
          models: [],
          isPrivate: false,
        }}
        onDone={async () => {
          const made = findWork(BEGUN)?.said?.title ?? '';
          dropWork(BEGUN);
          begin();
          await refresh();
          await toast(say('didUpload', { title: made }));
        }}
      />
      {work && !work.isSending && (
        <div className="-mt-3 flex justify-end">
          <ConfirmButton
            label={say('discard')}
            question={say('sureDiscard')}
            onConfirm={() => {
              discard(BEGUN);
              begin();
            }}
          />
        </div>
      )}
      <section aria-labelledby="own-albums" className="flex flex-col gap-4 pt-4">
        <h2
          id="own-albums"
          ref={list}
          tabIndex={-1}
          className="scroll-mt-24 text-lg font-semibold tracking-tight outline-none"
        >
          {say('yours')}
        </h2>
        <OwnAlbums
          statusId={status_id}
          page={1}
          href={(page) => paths.memberTab(user_id, 'albums', page)}
        />
      </section>
    </>
  );
}
