/** What the server sends of offers where its operator set some up (`api/src/page/business.rs`). */

export interface NamedLink {
  name: string;
  url: string;
}

export interface PremiumOffer {
  url: string;
  /** How long the offer lasts from when it is first seen. */
  seconds: number;
  /** Until it is made again. */
  again_days: number;
}

export interface Offers {
  /** A video's page leads to what is watched most today. */
  trending: boolean;
  premium?: PremiumOffer;
  suggestion?: NamedLink;
  /** A friend site and the address of its list of videos. */
  friend?: NamedLink;
  partners?: NamedLink[];
}
