/** The captions of a video: adds, replaces, downloads and removes tracks. */
import { useMemo, useState } from 'react';
import type { FormPath } from '@/api/call';
import { post } from '@/api/client';
import type { Caption } from '@/api/types';
import { useErrorText } from '@/i18n/errors';
import { useUploadText } from '@/i18n/upload';
import { ApiError } from '@/lib/http';
import { useVisitor } from '@/lib/visitor';
import { Button, button } from '@/ui/button';
import { control, FileField, Frame, Submit } from '@/ui/form/field';
import { FormBox, useForm } from '@/ui/form/use-form';
import { toast } from '@/ui/toast';
import { captionLanguages } from './languages';

/** The calls that change captions, by who changes them. */
const PATHS = {
  owner: '/api/video_captions.php' satisfies FormPath,
  moderator: '/api/moderate/captions' satisfies FormPath,
} as const;
type Editor = keyof typeof PATHS;

interface Props {
  editor: Editor;
  videoId: number;
  /** The video's title, for the accessible name. */
  title: string;
  /** The language of the video's title. */
  titleLang: string;
  captions: readonly Caption[];
  hint: string;
  /** What to say after captions were saved. */
  saved: string;
  onDone: () => Promise<void>;
}

const KINDS = ['subtitles', 'captions'] as const;

export function CaptionsPart(props: Props) {
  const { editor, videoId, captions, hint, onDone } = props;
  return (
    <>
      {captions.length > 0 && (
        <ul className="flex flex-col gap-2">
          {captions.map((caption) => (
            <Track
              key={caption.src}
              editor={editor}
              videoId={videoId}
              caption={caption}
              onDone={onDone}
            />
          ))}
        </ul>
      )}
      <p className="text-xs text-pretty text-muted">{hint}</p>
      <AddTrack {...props} />
    </>
  );
}

interface TrackProps {
  editor: Editor;
  videoId: number;
  caption: Caption;
  onDone: () => Promise<void>;
}

function Track({ editor, videoId, caption, onDone }: TrackProps) {
  const say = useUploadText();
  const textOf = useErrorText();
  const [pending, setPending] = useState(false);
  const { lang, kind, label, src } = caption;
  const name = kind === 'captions' ? `${label} (CC)` : label;
  const remove = async () => {
    setPending(true);
    try {
      await post(PATHS[editor], { video_id: videoId, lang, kind, remove: 1 });
      await onDone();
    } catch (error) {
      void toast(textOf(error instanceof ApiError ? error.info : { code: '' }, ''));
    } finally {
      setPending(false);
    }
  };
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 text-sm">
      <span lang={lang}>{name}</span>
      <span className="flex gap-2">
        <a
          href={src}
          download={`${String(videoId)}.${lang}.vtt`}
          className={button.plain}
          aria-label={`${say('downloadCaptions')}: ${name}`}
        >
          {say('downloadCaptions')}
        </a>
        <Button
          look="plain"
          disabled={pending}
          aria-label={`${say('removeCaptions')}: ${name}`}
          onClick={() => void remove()}
        >
          {say('removeCaptions')}
        </Button>
      </span>
    </li>
  );
}

function AddTrack({ editor, videoId, title, titleLang, saved, onDone }: Props) {
  const say = useUploadText();
  const { lang } = useVisitor();
  const languages = useMemo(() => captionLanguages(lang), [lang]);
  // A new field shows no file name.
  const [sent, setSent] = useState(0);
  const form = useForm({
    fields: ['lang', 'kind', 'captions'],
    check: (data) => {
      const file = data.get('captions');
      return file instanceof File && file.size > 0 ? {} : { captions: { code: 'required' } };
    },
    send: async (data, element) => {
      data.set('video_id', String(videoId));
      await post(PATHS[editor], data);
      element.reset();
      setSent((times) => times + 1);
      await onDone();
      void toast(saved);
    },
  });
  return (
    <FormBox form={form} label={`${say('addCaptions')}: ${title}`}>
      <Frame name="lang" label={say('captionsLanguage')} form={form}>
        {(ties) => (
          <select {...ties} defaultValue={titleLang} className={`${control} h-11`}>
            {languages.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Frame>
      <Frame name="kind" label={say('captionsKind')} form={form}>
        {(ties) => (
          <select {...ties} className={`${control} h-11`}>
            {KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {say(`kind.${kind}`)}
              </option>
            ))}
          </select>
        )}
      </Frame>
      <FileField
        key={sent}
        form={form}
        name="captions"
        label={say('captionsFile')}
        accept=".vtt,.srt,.ass,.ssa"
        choose={say('chooseFile')}
        none={say('noFile')}
      />
      <Submit form={form} beside={null}>
        {say('addCaptions')}
      </Submit>
    </FormBox>
  );
}
