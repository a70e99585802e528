import { turnKeys, useKeysOn } from './keys';

/** Turns single-key shortcuts on or off permanently. */
export function KeysToggle({ label, className }: { label: string; className?: string }) {
  return (
    <label className={className}>
      <input
        type="checkbox"
        checked={useKeysOn()}
        onChange={(event) => turnKeys(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}
