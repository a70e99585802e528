/** Icons for members' actions, which are kept out of the first load. */
import { Shape } from './icons';

const SHAPES = {
  heart: 'M12 20S4 15 4 9.200A4.200 4.200 0 0 1 12 7a4.200 4.200 0 0 1 8 2.200C20 15 12 20 12 20Z',
  add: 'M4 7h12M4 12h8M4 17h8M17 12v8M13 16h8',
  flag: 'M6 21V4M6 5h11l-2 4 2 4H6',
  more: 'M12 5.500v.01M12 12v.01M12 18.500v.01',
  bin: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.500 11v5M13.500 11v5',
  bell: 'M6 16v-5a6 6 0 0 1 12 0v5l1.500 2h-15L6 16ZM10 20a2 2 0 0 0 4 0',
  friend: 'M9 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM2.500 20c.5-4 3-6 6.500-6s6 2 6.500 6M19 8v6M16 11h6',
  letter: 'M3.500 6h17v12h-17V6Zm0 .5L12 13l8.500-6.500',
  block: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM6.500 6.500l11 11',
  hide: 'M4 4l16 16M9.500 5.800A9 9 0 0 1 12 5.500c4.500 0 7.500 2.500 9.500 6.500a13 13 0 0 1-3 3.900M6 7.800A13 13 0 0 0 2.500 12c2 4 5 6.500 9.500 6.500a9 9 0 0 0 4-.9M10 10a3 3 0 0 0 4 4',
  edit: 'M4 20h4L19 9l-4-4L4 16v4ZM13 7l4 4',
  drag: 'M9 6v.01M15 6v.01M9 12v.01M15 12v.01M9 18v.01M15 18v.01',
  raise: 'm6 15 6-6 6 6',
  pause: 'M8 5v14M16 5v14',
  play: 'M8 5v14l11-7L8 5Z',
  again: 'M20 12a8 8 0 1 1-2.500-5.800M20 4v4h-4',
  warning: 'M12 4 2.500 20h19L12 4ZM12 10v4M12 17v.01',
  user: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM4 20c1-4 4-5.500 8-5.500s7 1.500 8 5.500',
  leave: 'M14 4H5v16h9M10 12h10M16 8l4 4-4 4',
  mail: 'M3 6h18v12H3V6Zm0 1 9 7 9-7',
  device: 'M4 5h16v11H4V5ZM2 20h20',
  download: 'M12 4v11M7 11l5 5 5-5M4 20h16',
  home: 'M4 11 12 4l8 7v9h-5v-6H9v6H4v-9Z',
  grid: 'M4 4h6.500v6.500H4V4ZM13.500 4H20v6.500h-6.500V4ZM4 13.500h6.500V20H4v-6.500ZM13.500 13.500H20V20h-6.500v-6.500Z',
  upload: 'M12 15V4M7 8l5-5 5 5M4 20h16',
} as const;

export const MemberIcon = ({ name, size = 18 }: { name: keyof typeof SHAPES; size?: number }) => (
  <Shape d={SHAPES[name]} size={size} />
);
