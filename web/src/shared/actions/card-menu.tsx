/** A card's menu button and the menu that it opens. Its space is reserved, so that nothing shifts when it loads. */
import type { VideoCard } from '@/api/types';
import { useOnDemand } from '@/ui/use-on-demand';
import { CardMenuButton } from './card-menu-button';

const load = () => import('./card-menu-panel');

export default function CardMenu({ video }: { video: VideoCard }) {
  const { Part, prefetch, ask } = useOnDemand(load);
  return Part ? (
    <Part video={video} />
  ) : (
    <CardMenuButton title={video.title} onPointerEnter={prefetch} onClick={ask} />
  );
}
