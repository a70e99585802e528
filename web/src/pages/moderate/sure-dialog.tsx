/** Asks once more before what has no way back. */
import { useModerateText } from '@/i18n/moderate';
import { Button } from '@/ui/button';
import Sheet from '@/ui/sheet';

interface Props {
  /** What is about to be done; the button says the same. */
  title: string;
  text: string;
  onSure: () => void;
  onClose: () => void;
}

export function SureDialog({ title, text, onSure, onClose }: Props) {
  const say = useModerateText();
  return (
    <Sheet
      title={title}
      place="center"
      onClose={onClose}
      footer={
        <div className="flex flex-wrap justify-end gap-2">
          <Button look="plain" onClick={onClose}>
            {say('cancel')}
          </Button>
          <Button
            look="primary"
            // Who decides by keyboard is asked and answers there; Escape leads back.
            ref={(node) => node?.focus()}
            onClick={() => {
              onClose();
              onSure();
            }}
          >
            {title}
          </Button>
        </div>
      }
    >
      <p>{text}</p>
    </Sheet>
  );
}
