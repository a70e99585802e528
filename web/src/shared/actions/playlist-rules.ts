/** What a playlist's form must hold. Pure. */
import { found, textProblem } from '@/ui/form/checks';
import type { Problems } from '@/ui/form/use-form';

export const TITLE = { min: 3, max: 100 } as const;
export const DESCRIPTION = { min: 5, max: 500 } as const;

export const playlistProblems = ({ title, desc }: { title: string; desc: string }): Problems =>
  found({ title: textProblem(title, TITLE), desc: textProblem(desc, DESCRIPTION) });
