/** The captions of a video, which moderators correct and remove. */
import { useQueryClient } from '@tanstack/react-query';
import { useModerateText } from '@/i18n/moderate';
import { CaptionsPart } from '@/shared/captions/captions-part';
import { uploadQuery, type Upload } from './queries';

export function Captions({ upload: { upload, file, lang } }: { upload: Upload }) {
  const say = useModerateText();
  const client = useQueryClient();
  if (!file) return null;
  return (
    <CaptionsPart
      editor="moderator"
      videoId={upload.id}
      title={upload.title}
      titleLang={lang}
      captions={file.captions}
      hint={say('captionsHint')}
      saved={say('didSendCaptions')}
      onDone={() => client.invalidateQueries({ queryKey: uploadQuery(upload).queryKey })}
    />
  );
}
