import { useQuery } from '@tanstack/react-query';
import { videoQuery } from '@/api/endpoints';
import { useT } from '@/i18n';
import { isNotFound } from '@/lib/http';
import { useTitle } from '@/lib/title';
import { useVisitor } from '@/lib/visitor';
import { LoadError } from '@/ui/problem';
import { PlayerBox } from './player-box';
import { isWhole, videoStatus } from './status';
import { VideoProblem } from './video-problem';

/** The player alone, filling the frame another site gives it. */
export default function EmbedScreen({ id }: { id: number }) {
  const t = useT();
  const { lang } = useVisitor();
  const { data, error, refetch } = useQuery(videoQuery(id, lang));
  const video = data?.video;
  useTitle(video && (isWhole(video) ? video.title : t('video.gone')));
  const content = () => {
    if (isNotFound(error)) return <VideoProblem status="not-found" />;
    if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
    if (!video) return null;
    if (isWhole(video)) {
      return <PlayerBox id={id} title={video.title} poster={video.img} startTime={0} />;
    }
    const status = videoStatus(video);
    return <VideoProblem status={status === 'active' ? 'not-found' : status} />;
  };
  return <main className="h-dvh w-full bg-black">{content()}</main>;
}
