/** Icons drawn for this app on a 24 px grid; decorative, so hidden from screen readers. */
const SHAPES = {
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM20 20l-4-4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6 6 18',
  down: 'm6 9 6 6 6-6',
  left: 'm14 6-6 6 6 6',
  right: 'm10 6 6 6-6 6',
  globe: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.400 1.400M17.600 17.600 19 19M5 19l1.400-1.400M17.600 6.400 19 5',
  moon: 'M20 14.500A8.500 8.500 0 0 1 9.500 4 8.500 8.500 0 1 0 20 14.500Z',
  filter:
    'M4 7h10M18 7h2M4 17h2M10 17h10M14 7a2 2 0 1 0 4 0 2 2 0 1 0-4 0ZM6 17a2 2 0 1 0 4 0 2 2 0 1 0-4 0Z',
  sort: 'M7 5v14M7 19l-3-3M7 19l3-3M14 6h6M14 12h5M14 18h3',
  check: 'm5 12.500 4.500 4.500L19 7.500',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM12 8v4.500l3 1.500',
  eye: 'M2.500 12C6.500 5.500 17.500 5.500 21.500 12 17.500 18.500 6.500 18.500 2.500 12ZM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z',
  like: 'M8 11v9H4v-9h4Zm0 0 4-8c2 0 3 1.500 2.500 3.500L13.800 10H19a1.800 1.800 0 0 1 1.800 2.200l-1.400 6.300A2 2 0 0 1 17.400 20H8',
  dislike:
    'M16 13V4h4v9h-4Zm0 0-4 8c-2 0-3-1.500-2.500-3.500l.7-3.500H5a1.800 1.800 0 0 1-1.800-2.200l1.400-6.300A2 2 0 0 1 6.600 4H16',
  share: 'M14 5l6 6-6 6v-4c-5 0-8 1.500-10 5 .5-5.500 3.500-9 10-9V5Z',
  copy: 'M9 9h10v11H9V9ZM5 15V4h10',
  up: 'M7 17 17 7M9 7h8v8',
  settings:
    'M4 8h8M18 8h2M4 16h2M12 16h8M12 8a3 3 0 1 0 6 0 3 3 0 1 0-6 0ZM6 16a3 3 0 1 0 6 0 3 3 0 1 0-6 0Z',
  lock: 'M6 11h12v9H6v-9ZM9 11V8a3 3 0 0 1 6 0v3',
} as const;

export type IconName = keyof typeof SHAPES;

export const Icon = ({ name, size }: { name: IconName; size?: number }) => (
  <Shape d={SHAPES[name]} size={size} />
);

/** An icon by its own outline, for those that few screens need. */
export function Shape({ d, size = 20 }: { d: string; size?: number | undefined }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className="shrink-0"
    >
      <path d={d} />
    </svg>
  );
}

/** The mark of the product: a paper lantern with a play sign. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" className="shrink-0">
      <g fill="var(--accent)">
        <path d="M13 3h6v3h-6zM13 26h6v3h-6z" />
        <path d="M16 7c6 0 9 3.800 9 9s-3 9-9 9-9-3.800-9-9 3-9 9-9z" />
      </g>
      <path d="M13.500 11.500v9l7-4.500z" fill="var(--bg)" />
    </svg>
  );
}
