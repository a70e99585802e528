/** The looks of buttons and of links that look like buttons. */
const base =
  'inline-flex min-h-10 items-center justify-center gap-2 rounded-control px-4 py-1.5 text-sm font-semibold transition-colors disabled:opacity-50';

export const button = {
  primary: `${base} bg-accent text-on-accent hover:brightness-110`,
  plain: `${base} bg-raised text-ink hover:bg-hover`,
  ghost: `${base} text-muted hover:bg-raised hover:text-ink`,
  icon: 'grid size-10 place-items-center rounded-control text-muted transition-colors hover:bg-raised hover:text-ink touch',
} as const;
