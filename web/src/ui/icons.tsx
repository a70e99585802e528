/** Icons drawn for this app on a 24 px grid. They are decorative, so they are hidden from screen readers. */
const SHAPES = {
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM20 20l-4-4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6 6 18',
  down: 'm6 9 6 6 6-6',
  left: 'm14 6-6 6 6 6',
  right: 'm10 6 6 6-6 6',
  globe: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M5 19l1.4-1.4M17.6 6.4 19 5',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z',
  filter:
    'M4 7h10M18 7h2M4 17h2M10 17h10M14 7a2 2 0 1 0 4 0 2 2 0 1 0-4 0ZM6 17a2 2 0 1 0 4 0 2 2 0 1 0-4 0Z',
  sort: 'M7 5v14M7 19l-3-3M7 19l3-3M14 6h6M14 12h5M14 18h3',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM12 8v4.5l3 1.5',
  eye: 'M2.5 12C6.5 5.5 17.5 5.5 21.5 12 17.5 18.5 6.5 18.5 2.5 12ZM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z',
  like: 'M8 11v9H4v-9h4Zm0 0 4-8c2 0 3 1.5 2.5 3.5L13.8 10H19a1.8 1.8 0 0 1 1.8 2.2l-1.4 6.3A2 2 0 0 1 17.4 20H8',
  dislike:
    'M16 13V4h4v9h-4Zm0 0-4 8c-2 0-3-1.5-2.5-3.5l.7-3.5H5a1.8 1.8 0 0 1-1.8-2.2l1.4-6.3A2 2 0 0 1 6.6 4H16',
  share: 'M14 5l6 6-6 6v-4c-5 0-8 1.5-10 5 .5-5.5 3.5-9 10-9V5Z',
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

/** An icon given by its path, for icons that few screens need. */
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

/** The product's logo, which is a paper lantern with a play sign. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" className="shrink-0">
      <g fill="var(--accent)">
        <path d="M13 3h6v3h-6zM13 26h6v3h-6z" />
        <path d="M16 7c6 0 9 3.8 9 9s-3 9-9 9-9-3.8-9-9 3-9 9-9z" />
      </g>
      <path d="M13.5 11.5v9l7-4.5z" fill="var(--bg)" />
    </svg>
  );
}
