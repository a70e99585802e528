import type { Model } from '@/api/types';
import Comments from '@/shared/comments/comments';
import { useCommunityText } from '@/i18n/community';
import { useTitle } from '@/lib/title';

export default function Wall({ model }: { model: Model }) {
  const say = useCommunityText();
  useTitle(`${model.title} – ${say('wall')}`);
  return (
    <div className="page pt-8">
      <Comments subject={{ section: 'model', id: model.model_id, dir: model.dir }} />
    </div>
  );
}
