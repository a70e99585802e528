/** Refetches when the viewer mutes or unmutes something. */
import { useEffect, useRef } from 'react';
import { useMutingKey } from './unmuted';

export function useOnMuting(ask: () => void): void {
  const muting = useMutingKey();
  const seen = useRef(muting);
  useEffect(() => {
    if (seen.current === muting) return;
    seen.current = muting;
    ask();
  });
}
