/** The page `/download/?video_id=`, where guests wait for a download. */
import { Link } from 'wouter';
import { useAccountText } from '@/i18n/account';
import { useDownloadText } from '@/i18n/download';
import { PageFrame } from '@/shared/account/page-frame';
import { paths } from '@/shared/address/paths';
import { Download } from '@/shared/download/download';
import { button } from '@/ui/button';

export default function DownloadScreen({ search }: { search: string }) {
  const say = useDownloadText();
  const id = Number(new URLSearchParams(search).get('video_id'));
  const isVideo = Number.isSafeInteger(id) && id > 0;
  return (
    <PageFrame title={useAccountText()('download')}>
      {isVideo ? <Download key={id} id={id} /> : <p>{say('none')}</p>}
      <Link href={isVideo ? `/videos/${String(id)}/` : paths.home} className={button.plain}>
        {say(isVideo ? 'back' : 'home')}
      </Link>
    </PageFrame>
  );
}
