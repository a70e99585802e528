/** Asks for confirmation of an irreversible action. */
import { useModerateText } from '@/i18n/moderate';
import { Button } from '@/ui/button';
import Sheet from '@/ui/sheet';

interface Props {
  /** The action, which is also the button's label. */
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
            // The keyboard focus moves to the confirm button, and Escape cancels.
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
