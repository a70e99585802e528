import { useState } from 'react';
import type { AdPlace } from '@/lib/ads';
import { cn } from '@/lib/cn';
import { optional } from '@/lib/deferred';
import { sent } from '@/lib/sent';
import { NARROW, useMedia } from '@/lib/use-media';
import { mayAdvertise } from '@/shared/cookies/dismissal';

const Ad = optional(() => import('./ad'));

interface Props {
  place: AdPlace;
  vda?: string | null | undefined;
  className?: string;
}

/** An ad slot whose space is reserved from the start. Consent that is given in the meantime takes effect on the next screen. */
export function AdSpot({ place, vda = null, className }: Props) {
  const shape = useMedia(NARROW) ? 'narrow' : 'wide';
  const [isAllowed] = useState(mayAdvertise);
  const template = sent().ads?.[place]?.[shape];
  if (!template || !isAllowed) return null;
  const room = place === 'related' ? 'min-h-[270px]' : 'min-h-[120px] md:min-h-[110px]';
  return (
    <div className={cn(room, className)}>
      <Ad place={place} shape={shape} template={template} vda={vda} />
    </div>
  );
}
