/** What was typed into the server's own search box, until the app takes its place. Null where nobody was there. */
export function typedBefore(): { text: string; hasFocus: boolean } | null {
  const box = document.querySelector<HTMLInputElement>('.plain input[name=s]');
  if (!box) return null;
  return { text: box.value, hasFocus: document.activeElement === box };
}
