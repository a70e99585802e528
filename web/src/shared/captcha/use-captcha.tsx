/** The proof a form needs. Work on it starts when somebody begins to fill the form in, so that nobody waits for it. */
import { useState } from 'react';
import { fieldCodes } from '@/lib/field-codes';
import { ApiError } from '@/lib/http';
import { prove, type Purpose } from './providers';

/** reCAPTCHA's proofs last two minutes, the shortest of all; ours costs less than a second to make again. */
const FRESH_MS = 100_000;

interface Proof {
  made: number;
  token: Promise<string | undefined>;
}

export class Captcha {
  #place: HTMLElement | null = null;
  #proof: Proof | null = null;
  readonly #purpose: Purpose;
  constructor(purpose: Purpose) {
    this.#purpose = purpose;
  }

  /** Where a provider may show its box. */
  readonly setPlace = (place: HTMLElement | null): void => {
    this.#place = place;
  };

  /** Starts working on a proof, unless there is a fresh one. */
  readonly start = (): void => {
    this.#fresh();
  };

  /** The proof, which is used up by this. */
  readonly take = (): Promise<string | undefined> => {
    const { token } = this.#fresh();
    this.#proof = null;
    return token;
  };

  #fresh(): Proof {
    const now = Date.now();
    if (this.#proof && now - this.#proof.made < FRESH_MS) return this.#proof;
    const place = this.#place ?? document.createElement('div');
    const proof = { made: now, token: prove(this.#purpose, place) };
    this.#proof = proof;
    // What failed is tried again when the form is sent, which is when it can be said.
    proof.token.catch(() => {
      if (this.#proof === proof) this.#proof = null;
    });
    return proof;
  }
}

export const useCaptcha = (purpose: Purpose): Captcha => useState(() => new Captcha(purpose))[0];

const isMissed = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.code === 'captcha_required' || fieldCodes(error).captcha?.code === 'captcha_required');

interface Sending {
  captcha: Captcha;
  /** Sends without a proof, or with one once it is asked for: people have nothing to do for it. */
  sending: <T>(send: (captcha: string | undefined) => Promise<T>) => Promise<T>;
}

/** For calls that ask for a proof only after failures: one is brought from the first time it is missed. */
export function useProof(): Sending {
  const captcha = useCaptcha('login');
  const [isNeeded, setIsNeeded] = useState(false);
  return {
    captcha,
    sending: async (send) => {
      if (!isNeeded) {
        try {
          return await send(undefined);
        } catch (error) {
          if (!isMissed(error)) throw error;
          setIsNeeded(true);
        }
      }
      return send(await captcha.take());
    },
  };
}

/** Room for a provider that wants to be seen; nothing where it doesn't. */
export const CaptchaPlace = ({ captcha: { setPlace } }: { captcha: Captcha }) => (
  <div ref={setPlace} className="empty:hidden" />
);
