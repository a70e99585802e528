import type { ReactNode } from 'react';
import { useSay } from '@/features/community/texts';

/** The name of the wall, for the model's tabs. */
export default function WallName({ children }: { children: (name: string) => ReactNode }) {
  return children(useSay()('wall'));
}
