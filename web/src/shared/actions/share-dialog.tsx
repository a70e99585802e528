import { useId, useState } from 'react';
import { paths } from '@/shared/address/paths';
import { useT } from '@/i18n';
import { useActionText } from '@/i18n/actions';
import { Button, button } from '@/ui/button';
import { Icon } from '@/ui/icons';
import Sheet from '@/ui/sheet';
import { clock, embedCode, mailLink, socialLinks, startLink } from './share-links';

interface Props {
  video: { video_id: number; dir: string; title: string; scr: string };
  /** The playback position when the dialog opened, in seconds. */
  time: number;
  onClose: () => void;
}

export default function ShareDialog({ video, time, onClose }: Props) {
  const t = useT();
  const say = useActionText();
  const [isAt, setIsAt] = useState(false);
  const plain = location.origin + paths.video(video);
  const link = isAt ? startLink(plain, time) : plain;
  const shared = { title: video.title, url: link };
  const handOver = async () => {
    try {
      await navigator.share(shared);
      onClose();
    } catch {
      // The visitor canceled, or no app accepts the data. The dialog is still open.
    }
  };
  return (
    <Sheet title={t('share.title')} place="center" onClose={onClose}>
      <div className="flex flex-col gap-5">
        {canHandOver(shared) && (
          <Button look="primary" className="min-h-11" onClick={() => void handOver()}>
            <Icon name="share" size={18} />
            {say('shareApp')}
          </Button>
        )}
        <ul className="flex flex-wrap gap-2">
          {socialLinks(link, video.title).map(({ name, href }) => (
            <li key={name}>
              <a
                href={href}
                target="_blank"
                rel="noopener noreferrer"
                className={`${button.plain} min-h-11`}
              >
                {name}
              </a>
            </li>
          ))}
          <li>
            <a href={mailLink(link, video.title)} className={`${button.plain} min-h-11`}>
              {say('email')}
            </a>
          </li>
        </ul>
        <div>
          <Field label={t('share.link')} value={link} />
          {time >= 1 && (
            <label className="mt-1 flex min-h-11 items-center gap-3 text-sm">
              <input
                type="checkbox"
                className="size-5"
                checked={isAt}
                onChange={() => setIsAt(!isAt)}
              />
              {say('startAt', { time: clock(time) })}
            </label>
          )}
        </div>
        {/* Without preview frames, there is no video to embed. */}
        {video.scr && (
          <Field
            label={t('share.embed')}
            value={embedCode(location.origin + paths.embed(video.video_id), video.title)}
          />
        )}
      </div>
    </Sheet>
  );
}

/** Whether the device can share natively. Mostly phones have a share sheet. */
const canHandOver = (data: ShareData): boolean =>
  'canShare' in navigator && navigator.canShare(data);

function Field({ label, value }: { label: string; value: string }) {
  const t = useT();
  const id = useId();
  const [copied, setCopied] = useState<string | null>(null);
  // A changed link has not been copied yet.
  if (copied && copied !== value) setCopied(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
    } catch {
      // There is no permission, or the page is insecure. So select the text, which can then be copied by keyboard.
      (document.getElementById(id) as HTMLInputElement | null)?.select();
      return;
    }
    setCopied(value);
  };
  return (
    <div className="flex flex-col gap-2">
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      <div className="flex gap-2">
        <input
          id={id}
          readOnly
          value={value}
          onFocus={(event) => event.target.select()}
          className="h-11 min-w-0 flex-1 rounded-control border border-line bg-bg px-3 text-sm text-muted"
        />
        <Button
          look="plain"
          aria-label={`${t('share.copy')}: ${label}`}
          onClick={() => void copy()}
        >
          <Icon name={copied ? 'check' : 'copy'} size={18} />
          <span role="status">{copied ? t('share.copied') : t('share.copy')}</span>
        </Button>
      </div>
    </div>
  );
}
