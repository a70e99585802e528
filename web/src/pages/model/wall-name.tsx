import type { ReactNode } from 'react';
import { useSay } from '@/i18n/community';

/** The name of the wall, for the model's tabs. */
export default function WallName({ children }: { children: (name: string) => ReactNode }) {
  return children(useSay()('wall'));
}
