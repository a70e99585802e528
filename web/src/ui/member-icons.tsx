/** Icons of what members do, kept out of the first load. */
import { Shape } from './icons';

const SHAPES = {
  warning: 'M12 4 2.500 20h19L12 4ZM12 10v4M12 17v.01',
  user: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM4 20c1-4 4-5.500 8-5.500s7 1.500 8 5.500',
  leave: 'M14 4H5v16h9M10 12h10M16 8l4 4-4 4',
  heart:
    'M12 20C5 15 3 12 3 8.500A4.500 4.500 0 0 1 12 7a4.500 4.500 0 0 1 9 1.500C21 12 19 15 12 20Z',
  list: 'M4 6h16M4 12h10M4 18h10M19 14v8M15 18h8',
  mail: 'M3 6h18v12H3V6Zm0 1 9 7 9-7',
  flag: 'M5 21V4h13l-2.500 4.500L18 13H5',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14',
  device: 'M4 5h16v11H4V5ZM2 20h20',
  download: 'M12 4v11M7 11l5 5 5-5M4 20h16',
} as const;

export type MemberIconName = keyof typeof SHAPES;

export const MemberIcon = ({ name, size }: { name: MemberIconName; size?: number }) => (
  <Shape d={SHAPES[name]} {...(size && { size })} />
);
