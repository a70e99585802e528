/** Text typed into the server-rendered search box before the app replaced it. Null if it was untouched. */
export function typedBefore(): { text: string; hasFocus: boolean } | null {
  const box = document.querySelector<HTMLInputElement>('.plain input[name=s]');
  if (!box) return null;
  return { text: box.value, hasFocus: document.activeElement === box };
}
