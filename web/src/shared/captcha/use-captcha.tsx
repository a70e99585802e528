/** A form's captcha. Solving starts with the first input, so that nobody has to wait. */
import { useState } from 'react';
import { fieldCodes } from '@/lib/field-codes';
import { ApiError } from '@/lib/http';
import { prove, type Purpose } from './providers';

/** How long a token is used. reCAPTCHA's tokens expire soonest, after two minutes. Our own challenge is solved in under a second. */
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

  /** Sets where a provider may show its widget. */
  readonly setPlace = (place: HTMLElement | null): void => {
    this.#place = place;
  };

  /** Starts solving, unless there is a fresh token. */
  readonly start = (): void => {
    this.#fresh();
  };

  /** Returns the token, which can be used only once. */
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
    // A failed attempt is repeated when the form is submitted, because the form can report the error.
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
  /** Sends without a token, or with one once it is required. The visitor does not have to do anything. */
  sending: <T>(send: (captcha: string | undefined) => Promise<T>) => Promise<T>;
}

/** For calls that require a token only after failures. The token is supplied after the first refusal. */
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

/** The space for a provider's visible widget. It collapses if there is none. */
export const CaptchaPlace = ({ captcha: { setPlace } }: { captcha: Captcha }) => (
  <div ref={setPlace} className="empty:hidden" />
);
