import { useState } from 'react';
import { useOffersText } from '@/i18n/offers';
import type { PremiumOffer as Offer } from '@/lib/offers';
import { useSecondsLeft } from '@/shared/download/use-seconds-left';
import { button, Button } from '@/ui/button';
import { Icon } from '@/ui/icons';
import { clock, closeOffer, offeredSince } from './offer-time';

/** The premium offer with its countdown. */
export default function PremiumOffer({ offer }: { offer: Offer }) {
  const [since, setSince] = useState(() => offeredSince(offer, Date.now()));
  if (since === null) return null;
  return (
    <Running
      offer={offer}
      since={since}
      onClose={() => {
        closeOffer(since);
        setSince(null);
      }}
    />
  );
}

interface Props {
  offer: Offer;
  since: number;
  onClose: () => void;
}

function Running({ offer, since, onClose }: Props) {
  const say = useOffersText();
  const left = useSecondsLeft(since, offer.seconds);
  return (
    <div className="page mt-12">
      <div className="flex min-h-16 flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line bg-surface py-2 ps-4 pe-2">
        <p className="font-semibold">{say('premium')}</p>
        {left > 0 ? (
          // Announcing every second would drown out everything else.
          <p role="timer" aria-live="off" className="text-sm text-muted tabular-nums">
            {say('endsIn', { time: clock(left) })}
          </p>
        ) : (
          <p className="text-sm text-muted">{say('ended')}</p>
        )}
        <div className="ms-auto flex items-center gap-2">
          {left > 0 && (
            <a
              href={offer.url}
              target="_blank"
              rel="noopener"
              className={`${button.primary} min-h-11`}
            >
              {say('see')}
            </a>
          )}
          <Button look="icon" className="size-11" aria-label={say('close')} onClick={onClose}>
            <Icon name="close" size={18} />
          </Button>
        </div>
      </div>
    </div>
  );
}
