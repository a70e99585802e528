/** Editor for an unsent album: its pictures, details, and upload. */
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { UploadStatus } from '@/api/status';
import { useErrorText, type ErrorFacts } from '@/i18n/errors';
import { useAlbumText } from '@/i18n/album';
import { ApiError } from '@/lib/http';
import { pictureTypes } from '@/shared/files/picture-types';
import { useVisitor } from '@/lib/visitor';
import { requestLogin } from '@/shared/account/login-request';
import { meQuery } from '@/shared/account/use-me';
import type { Details } from '@/shared/details/details';
import { DetailsForm } from '@/shared/details/details-form';
import { DropZone } from '@/shared/files/drop-zone';
import { bytesText } from '@/shared/files/figures';
import { Button } from '@/ui/button';
import { toast } from '@/ui/toast';
import { addPictures } from './add-pictures';
import type { Limits } from './picture-checks';
import { PictureGrid } from './picture-grid';
import { pixelsText } from './picture-why';
import { stop, upload } from './run';
import { Sending } from './sending';
import { isRefused, NEW, without, type Work } from './work';
import { beginWork, changeWork, findWork, useWork } from './works';

interface Props {
  /** Key of the unsent album. */
  name: string;
  /** The editor's accessible name. */
  title: string;
  first: Details;
  limits: Limits;
  onDone: (statusId: UploadStatus | null) => Promise<void>;
}

export function AlbumEditor({ name, title, first, limits, onDone }: Props) {
  const say = useAlbumText();
  const textOf = useErrorText();
  const { lang } = useVisitor();
  const client = useQueryClient();
  const work = useWork(name) ?? NEW;
  const [problem, setProblem] = useState<ErrorFacts | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { pictures, isSending, failure } = work;
  const rules = say('limits', {
    size: bytesText(limits.max_bytes, lang),
    pixels: pixelsText(limits.max_pixels, lang),
    width: limits.min_width,
    height: limits.min_height,
    max: limits.max_photos,
  });
  const change = (to: (work: Work) => Work) => {
    setProblem(null);
    changeWork(name, to);
  };
  const take = async (files: File[]) => {
    setProblem(null);
    for (const known of addPictures(name, files, limits)) {
      await toast(say('already', { name: known }), 'error');
    }
  };
  const shownError = problem ?? failure;
  const askLogin = () => {
    // The session has expired, so keep everything for the next one.
    changeWork(name, (old) => ({ ...old, failure: null }));
    client.setQueryData(meQuery.queryKey, { user: null });
    requestLogin(() => undefined);
  };
  const send = async (details: Details) => {
    setProblem(pictures.length === 0 ? { code: 'no_photos' } : null);
    if (pictures.length === 0 || pictures.some(isRefused)) {
      heading.current?.focus();
      return;
    }
    try {
      const outcome = await upload(name, details);
      if (outcome.end === 'done') await onDone(outcome.statusId);
      else if (findWork(name)?.failure?.code === 'need_auth') askLogin();
      else heading.current?.focus();
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'need_auth')) throw error;
      askLogin();
    }
  };
  return (
    <>
      <section aria-labelledby="pictures" className="flex flex-col gap-4">
        <h2
          id="pictures"
          ref={heading}
          tabIndex={-1}
          className="scroll-mt-24 text-lg font-semibold tracking-tight outline-none"
        >
          {say('pictures')}
          {pictures.length > 0 && (
            <span className="ps-2 text-sm font-normal text-muted tabular-nums">
              {new Intl.NumberFormat(lang).format(pictures.length)}
            </span>
          )}
        </h2>
        <DropZone
          accept={pictureTypes()}
          hint={rules}
          isSlim={pictures.length > 0}
          onFiles={(files) => void take(files)}
        />
        <p className="text-xs text-pretty text-muted">{rules}</p>
        {shownError && (
          <p role="alert" className="text-sm text-danger">
            {textOf(shownError)}
          </p>
        )}
        {pictures.some(isRefused) && (
          <div
            role="alert"
            className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-danger p-3 text-sm"
          >
            <p>{say('someRefused')}</p>
            <Button
              look="plain"
              className="min-h-11"
              onClick={() => {
                heading.current?.focus();
                change((old) => without(old, isRefused));
              }}
            >
              {say('removeRefused')}
            </Button>
          </div>
        )}
        {pictures.length > 0 && (
          <PictureGrid
            work={work}
            limits={limits}
            onChange={change}
            onEmpty={() => {
              heading.current?.focus();
            }}
          />
        )}
      </section>
      <section aria-labelledby="details" className="flex flex-col gap-4" hidden={isSending}>
        <h2 id="details" className="text-lg font-semibold tracking-tight">
          {say('details')}
        </h2>
        <DetailsForm
          name={title}
          first={work.typed ?? first}
          limits={limits}
          words={{ visibility: say('visibility'), private: say('private') }}
          submit={say(work.isDraft ? 'upload' : 'saveChanges')}
          onKeep={(typed) => {
            beginWork(name);
            changeWork(name, (old) => ({ ...old, typed }));
          }}
          send={send}
        />
      </section>
      {isSending && (
        <Sending
          work={work}
          onStop={() => {
            stop(name);
          }}
        />
      )}
    </>
  );
}
