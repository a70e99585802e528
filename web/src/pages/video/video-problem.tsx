import { Link } from 'wouter';
import { paths } from '@/shared/address/paths';
import { useT } from '@/i18n';
import { button } from '@/ui/button';
import { Icon } from '@/ui/icons';

const TEXTS = {
  private: 'video.private',
  deleted: 'video.deleted',
  'not-found': 'video.notFound',
} as const;

/** Shown in the player's place: why there is nothing to play, and a link to the home page. */
export function VideoProblem({ status }: { status: keyof typeof TEXTS }) {
  const t = useT();
  return (
    <div className="grid size-full place-items-center rounded-[inherit] bg-raised p-6 text-center">
      <div className="flex flex-col items-center gap-4">
        <span className="text-muted">
          <Icon name={status === 'private' ? 'lock' : 'close'} size={40} />
        </span>
        <p role="alert" className="text-lg font-semibold text-balance">
          {t(TEXTS[status])}
        </p>
        <Link href={paths.home} className={button.primary}>
          {t('notFound.home')}
        </Link>
      </div>
    </div>
  );
}
