/** Acts: votes, lists, comments and everything else that is posted to one address. */
import type { Form, FormPath } from './call';
import { encoded, post } from './client';

const PATH = '/api/stat.php' satisfies FormPath;

/** An act with its fields. The API description derives this union from the types that the server reads. */
export type Act = Form<typeof PATH>;
export type ActOf<Name extends Act['act']> = Extract<Act, { act: Name }>;
/** An act on one object. */
export type ObjectAct = Extract<Act, { object_id: number }>;

export const sendAct = (act: Act) => post(PATH, act);

/** Sends an act while the page closes, which would abort a normal request. */
export function sendActOnLeave(act: Act): void {
  navigator.sendBeacon(PATH, encoded(Object.entries(act)));
}
