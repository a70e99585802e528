import { Link } from 'wouter';
import { useT } from '@/i18n';
import { heading, useTitle } from '@/lib/title';
import { button } from '@/ui/button';
import { paths } from '@/shared/address/paths';

export function NotFound() {
  const t = useT();
  useTitle(t('notFound.title'));
  return (
    <div className="mx-auto flex min-h-[60dvh] max-w-xl flex-col items-center justify-center gap-4 px-4 text-center">
      <p aria-hidden="true" className="text-7xl font-semibold tracking-tighter text-accent">
        404
      </p>
      <h1 className={heading}>{t('notFound.title')}</h1>
      <p className="text-muted">{t('notFound.text')}</p>
      <div className="flex flex-wrap justify-center gap-2 pt-2">
        <Link href={paths.home} className={button.primary}>
          {t('notFound.home')}
        </Link>
        <Link href={paths.videos('most-popular')} className={button.plain}>
          {t('empty.popular')}
        </Link>
      </div>
    </div>
  );
}
