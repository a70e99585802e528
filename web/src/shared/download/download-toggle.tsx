import { useActionText } from '@/i18n/actions';
import { deferred } from '@/lib/deferred';
import { useOpen } from '@/lib/use-open';
import { Toggle } from '@/shared/actions/toggle';
import { Shape } from '@/ui/icons';

const DownloadDialog = deferred(() => import('./download-dialog'));

export function DownloadToggle({ id }: { id: number }) {
  const say = useActionText();
  const { isOpen, open, close } = useOpen();
  return (
    <>
      <Toggle
        opens="dialog"
        icon={<Shape size={18} d="M12 4v11M7 11l5 5 5-5M5 20h14" />}
        word={say('download')}
        onClick={open}
      />
      {isOpen && <DownloadDialog id={id} onClose={close} />}
    </>
  );
}
