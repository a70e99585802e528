/** What the page says of signing in, beside what the app reads at its start (`web/src/lib/boot.ts`). */
interface Facts {
  /** The visitor shows no session. */
  guest?: boolean;
  /** The operator has set up the sign-in at Google. */
  google?: boolean;
}

const text = document.getElementById('boot')?.textContent;
const facts = (text ? JSON.parse(text) : {}) as Facts;

/** Signing in and out loads a new page or asks again, so this holds as long as the page does. */
export const cameAsGuest = facts.guest === true;
export const offersGoogle = facts.google === true;
