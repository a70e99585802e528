import { useEffect } from 'react';
import { ApiError } from '@/lib/http';
import { sendAct } from '@/api/act';
import type { Section } from './member-state';
import { cameFrom, saysNothingOfCountry } from './view-beacon';

/** A page that is left sooner doesn't count as viewed. */
const VIEW_DELAY_MS = 1000;

/** Reports a view once the object has been open for a second. */
export function useViewBeacon(section: Section, id: number | undefined): void {
  useEffect(() => {
    if (id === undefined) return;
    const nogeo = saysNothingOfCountry(cameFrom(globalThis, document.referrer));
    const send = async () => {
      try {
        await sendAct({
          act: 'view',
          section,
          object_id: id,
          nogeo: nogeo || undefined,
        });
      } catch (error) {
        // Failures are ignored: a view that could not be sent is not counted.
        if (!(error instanceof ApiError)) throw error;
      }
    };
    const timer = setTimeout(() => void send(), VIEW_DELAY_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [section, id]);
}
