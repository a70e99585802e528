import type { ReactNode } from 'react';
import { useCommunityText } from '@/i18n/community';

/** The wall's name, for the model's tabs. */
export default function WallName({ children }: { children: (name: string) => ReactNode }) {
  return children(useCommunityText()('wall'));
}
