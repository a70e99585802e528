/** The request to write to the operator, as a small store: any page may ask, the header's part shows the dialog. */
import { useSyncExternalStore } from 'react';
import type { Form } from '@/api/call';

type Report = Form<'/api/report.php'>;
/** What is chosen in a field that may be left empty. */
type Chosen<Field extends keyof Report> = Exclude<NonNullable<Report[Field]>, ''>;

export type Reason = Chosen<'reason'>;

/** What can be reported. */
export interface Reported {
  section: Chosen<'section'>;
  id: number;
  /** What it is called in the operator's list. */
  title: string;
}

let open = false;
const listeners = new Set<() => void>();

function change(next: boolean): void {
  open = next;
  for (const listener of listeners) listener();
}

export const requestContact = (): void => {
  change(true);
};
export const closeContact = (): void => {
  change(false);
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useContactRequest = (): boolean => useSyncExternalStore(subscribe, () => open);
