/** A count in a small circle. */

/** The highest count that is shown. Higher counts are shown as this number with a plus. */
const MAX_SHOWN = 99;

export function Badge({ count, corner = false }: { count: number; corner?: boolean }) {
  return (
    <span
      aria-hidden={corner}
      className={
        corner
          ? 'absolute -end-1.5 -top-1 grid h-4 min-w-4 place-items-center rounded-full bg-accent px-1 text-[10px] leading-none font-semibold text-on-accent'
          : 'grid h-5 min-w-5 place-items-center rounded-full bg-accent px-1.5 text-xs font-semibold text-on-accent'
      }
    >
      {count > MAX_SHOWN ? `${String(MAX_SHOWN)}+` : count}
    </span>
  );
}
