/** For calls that ask for a proof only after failures: one is brought from the first time it is missed. */
import { useState } from 'react';
import { fieldCodes } from '@/lib/field-codes';
import { ApiError } from '@/lib/http';
import { useCaptcha, type Captcha } from './use-captcha';

const isMissed = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.code === 'captcha_required' || fieldCodes(error).captcha?.code === 'captcha_required');

export interface Proof {
  captcha: Captcha;
  /** Sends without a proof, or with one once it is asked for: people have nothing to do for it. */
  sending: <T>(send: (captcha: string | undefined) => Promise<T>) => Promise<T>;
}

export function useProof(): Proof {
  const captcha = useCaptcha('login');
  const [asked, setAsked] = useState(false);
  return {
    captcha,
    sending: async (send) => {
      if (!asked) {
        try {
          return await send(undefined);
        } catch (error) {
          if (!isMissed(error)) throw error;
          setAsked(true);
        }
      }
      return send(await captcha.take());
    },
  };
}
