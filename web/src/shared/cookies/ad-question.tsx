import type { ReactNode } from 'react';
import { useOffersText } from '@/i18n/offers';
import { Button } from '@/ui/button';
import { answerAds } from './dismissal';

interface Props {
  onClose: () => void;
  /** A link to the cookie information. */
  children: ReactNode;
}

/**
 * The cookie notice on sites with advertisements. Both buttons look alike and take effect on the next screen, so that nothing moves under
 * a finger.
 */
export default function AdQuestion({ onClose, children }: Props) {
  const say = useOffersText();
  const answer = (agrees: boolean) => (
    <Button
      look="plain"
      className="min-h-11 text-xs"
      onClick={() => {
        answerAds(agrees);
        onClose();
      }}
    >
      {say(agrees ? 'agree' : 'refuse')}
    </Button>
  );
  return (
    <>
      <p className="min-w-0">
        {say('ask')} {children}
      </p>
      <div className="ms-auto flex shrink-0 flex-col gap-1 sm:ms-0 sm:flex-row sm:gap-2">
        {answer(false)}
        {answer(true)}
      </div>
    </>
  );
}
