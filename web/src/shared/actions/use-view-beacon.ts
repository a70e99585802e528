import { useEffect } from 'react';
import { ApiError } from '@/lib/http';
import { post } from '@/api/client';
import type { Section } from './member-state';
import { cameFrom, saysNothingOfCountry } from './view-beacon';

/** A page that is left sooner wasn't looked at. */
const VIEW_DELAY_MS = 1000;

/** Sends a view once the object was open for a second. */
export function useViewBeacon(section: Section, id: number | undefined): void {
  useEffect(() => {
    if (id === undefined) return;
    const nogeo = saysNothingOfCountry(cameFrom(globalThis, document.referrer));
    const send = async () => {
      try {
        await post('/api/stat.php', {
          act: 'view',
          section,
          object_id: id,
          nogeo: nogeo || undefined,
        });
      } catch (error) {
        // Nobody waits for it: a view that could not be sent is not counted.
        if (!(error instanceof ApiError)) throw error;
      }
    };
    const timer = setTimeout(() => void send(), VIEW_DELAY_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [section, id]);
}
