/** The button of a disclosure, which is the same before and after its panel's code has loaded. */
import type { ReactNode } from 'react';
import { Icon } from './icons';

export interface DisclosureProps {
  label: ReactNode;
  /** The accessible name, if the label isn't enough. */
  name?: string;
  align?: 'start' | 'end';
  className?: string;
  panelClassName?: string;
  /** Renders the panel, but only while it is open. */
  children: (close: () => void) => ReactNode;
}

export const opener =
  'group/opener flex h-10 items-center gap-1.5 rounded-control px-3 text-sm font-medium transition-colors hover:bg-raised aria-expanded:bg-raised';

export const Arrow = () => (
  <span className="text-muted transition-transform group-aria-expanded/opener:rotate-180">
    <Icon name="down" size={16} />
  </span>
);
