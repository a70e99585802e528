/** Returns the text typed into the server-rendered search box before the app replaced it, or null if the box was untouched. */
export function typedBefore(): { text: string; hasFocus: boolean } | null {
  const box = document.querySelector<HTMLInputElement>('.plain input[name=s]');
  if (!box) return null;
  return { text: box.value, hasFocus: document.activeElement === box };
}
