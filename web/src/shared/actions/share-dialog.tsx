import { useId, useState } from 'react';
import { paths } from '@/shared/address/paths';
import { useT } from '@/i18n';
import { Button } from '@/ui/button';
import { Icon } from '@/ui/icons';
import Sheet from '@/ui/sheet';
import { clock, embedCode, startLink } from './share-links';

interface Props {
  video: { video_id: number; dir: string; title: string; scr: string };
  /** Where the player was when the dialog opened, seconds. */
  time: number;
  onClose: () => void;
}

export default function ShareDialog({ video, time, onClose }: Props) {
  const t = useT();
  const link = location.origin + paths.video(video);
  return (
    <Sheet title={t('share.title')} place="center" onClose={onClose}>
      <div className="flex flex-col gap-5">
        <Field label={t('share.link')} value={link} />
        {time >= 1 && (
          <Field label={t('share.linkAt', { time: clock(time) })} value={startLink(link, time)} />
        )}
        {/* Without frames of a film there is no film here to embed. */}
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

function Field({ label, value }: { label: string; value: string }) {
  const t = useT();
  const id = useId();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
    } catch {
      // No permission or no secure page: the text is selected, ready for the visitor's own copy.
      (document.getElementById(id) as HTMLInputElement | null)?.select();
      return;
    }
    setCopied(true);
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
          onFocus={(event) => {
            event.target.select();
          }}
          className="h-10 min-w-0 flex-1 rounded-control border border-line bg-bg px-3 text-sm text-muted"
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
