import { useState } from 'react';
import type { Video } from '@/api/types';
import type { Ads } from '@/lib/ads';
import { AdSpot } from '@/shared/ads/ad-spot';
import { underPlayer } from '@/shared/ads/frame';
import { mayAdvertise } from '@/shared/cookies/dismissal';
import { optional } from '@/lib/deferred';

const ChannelBanner = optional(() => import('./channel-banner'));

/** What finances the video: the banner of its channel's sponsor, or an advertisement. */
export function Sponsor({ ads, channel }: { ads: Ads; channel: Video['channel'] }) {
  const [isAllowed] = useState(mayAdvertise);
  const [drawn] = useState(Math.random);
  if (!isAllowed) return null;
  if (ads.channel_banners && channel?.cf1 && !channel.hidden) {
    return (
      <div className="min-h-[185px]">
        <ChannelBanner title={channel.title} image={channel.cf1} url={channel.url} />
      </div>
    );
  }
  return <AdSpot place={underPlayer(ads, drawn)} vda={channel?.vda} />;
}
