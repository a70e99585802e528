/** Asks again when the viewer mutes something or shows it again. */
import { useEffect, useRef } from 'react';
import { useMutingKey } from './unmuted';

export function useOnMuting(ask: () => void): void {
  const muting = useMutingKey();
  const asked = useRef(muting);
  useEffect(() => {
    if (asked.current === muting) return;
    asked.current = muting;
    ask();
  });
}
