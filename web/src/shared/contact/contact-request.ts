/** A store for contact requests. Any page can request the dialog, and the header shows it. */
import type { Form } from '@/api/call';
import { createStore } from '@/lib/store';

type Report = Form<'/api/report.php'>;
/** The options of a field that may be left empty. */
type Choice<Field extends keyof Report> = Exclude<NonNullable<Report[Field]>, ''>;

export type Reason = Choice<'reason'>;

export interface ReportSubject {
  section: Choice<'section'>;
  id: number;
  /** The object's title in the operator's list. */
  title: string;
}

const store = createStore(false);

export const requestContact = (): void => store.write(true);
export const closeContact = (): void => store.write(false);

export const useContactRequest = store.useValue;
