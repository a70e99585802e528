/** The request to write to the operator, as a small store: any page may ask, the header's part shows the dialog. */
import type { Form } from '@/api/call';
import { createStore } from '@/lib/store';

type Report = Form<'/api/report.php'>;
/** What is chosen in a field that may be left empty. */
type Choice<Field extends keyof Report> = Exclude<NonNullable<Report[Field]>, ''>;

export type Reason = Choice<'reason'>;

export interface ReportSubject {
  section: Choice<'section'>;
  id: number;
  /** What it is called in the operator's list. */
  title: string;
}

const store = createStore(false);

export const requestContact = (): void => {
  store.write(true);
};
export const closeContact = (): void => {
  store.write(false);
};

export const useContactRequest = store.useValue;
