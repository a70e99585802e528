import { useOffersText } from '@/i18n/offers';
import { webAddress } from './web-address';

interface Props {
  title: string;
  image: string;
  url: string;
}

/** The banner of a channel's sponsor, which links to the channel's own site. */
export default function ChannelBanner({ title, image, url }: Props) {
  const say = useOffersText();
  const href = webAddress(url);
  const picture = (
    <img
      src={image}
      alt={title}
      width={285}
      height={165}
      loading="lazy"
      className="aspect-[285/165] w-full rounded-control object-cover"
    />
  );
  return (
    <div className="mx-auto w-full max-w-[285px]">
      <p className="pb-1 text-xs text-muted">{say('ad')}</p>
      {href ? (
        <a href={href} target="_blank" rel="sponsored noopener noreferrer" className="block">
          {picture}
        </a>
      ) : (
        picture
      )}
    </div>
  );
}
