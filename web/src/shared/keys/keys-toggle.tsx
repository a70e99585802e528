import { turnKeys, useKeysOn } from './keys';

/** Turns shortcuts of one key on and off, for good. */
export function KeysToggle({ label, className }: { label: string; className?: string }) {
  return (
    <label className={className}>
      <input
        type="checkbox"
        checked={useKeysOn()}
        onChange={(event) => {
          turnKeys(event.currentTarget.checked);
        }}
      />
      {label}
    </label>
  );
}
