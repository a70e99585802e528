/** Offers that the operator has configured, as sent by the server (`site/src/business.rs`). */

export interface NamedLink {
  name: string;
  url: string;
}

export interface PremiumOffer {
  url: string;
  /** How long the offer lasts after it is first shown. */
  seconds: number;
  /** Days until the offer is shown again. */
  again_days: number;
}

export interface Offers {
  /** Whether video pages link to today's most watched. */
  trending: boolean;
  premium?: PremiumOffer;
  suggestion?: NamedLink;
  /** A friend site, and the address of its list of videos. */
  friend?: NamedLink;
  partners?: NamedLink[];
}
