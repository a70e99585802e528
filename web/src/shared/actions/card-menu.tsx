/** The corner of a card: a button, and what it opens. Drawn over the poster, so nothing moves when it comes. */
import type { VideoCard } from '@/api/types';
import { useOnDemand } from '@/ui/use-on-demand';
import { CardMenuButton } from './card-menu-button';

const load = () => import('./card-menu-panel');

export default function CardMenu({ video }: { video: VideoCard }) {
  const { Part, prefetch, ask } = useOnDemand(load);
  return (
    <div className="absolute end-1 top-1 z-2 has-aria-expanded:z-20">
      {Part ? (
        <Part video={video} />
      ) : (
        <CardMenuButton title={video.title} onPointerEnter={prefetch} onClick={ask} />
      )}
    </div>
  );
}
