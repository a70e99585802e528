/** The captions of a video, which moderators correct and remove. */
import { useQueryClient } from '@tanstack/react-query';
import { useModerateText } from '@/i18n/moderate';
import { usePlayerText } from '@/i18n/player';
import { CaptionsPart } from '@/shared/captions/captions-part';
import { Box } from './facts';
import { uploadQuery, type Upload } from './queries';

export function Captions({ upload: { upload, file, lang } }: { upload: Upload }) {
  const say = useModerateText();
  const player = usePlayerText();
  const client = useQueryClient();
  if (!file) return null;
  return (
    <Box title={player('captions')}>
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
    </Box>
  );
}
