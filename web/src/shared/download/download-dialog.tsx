/** The download dialog next to the player. Members wait here, while guests go to the download page. */
import { Link } from 'wouter';
import { useDownloadText } from '@/i18n/download';
import { useMe } from '@/shared/account/use-me';
import { useRequireLogin } from '@/shared/account/use-require-login';
import { Button, button } from '@/ui/button';
import Sheet from '@/ui/sheet';
import { Download } from './download';

export default function DownloadDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const say = useDownloadText();
  const me = useMe();
  const requireLogin = useRequireLogin();
  return (
    <Sheet title={say('title')} place="center" onClose={onClose}>
      {me && <Download id={id} />}
      {me === null && (
        <div className="flex flex-col gap-4">
          <p>{say('guest')}</p>
          <Link href={`/download/?video_id=${String(id)}`} className={button.primary}>
            {say('asGuest')}
          </Link>
          <Button look="plain" onClick={() => void requireLogin(() => undefined)}>
            {say('signIn')}
          </Button>
        </div>
      )}
    </Sheet>
  );
}
