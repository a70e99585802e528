/** Validates the playlist form. This module is pure. */
import { limits } from '@/lib/limits';
import { found, textProblem } from '@/ui/form/checks';
import type { Problems } from '@/ui/form/use-form';

export const playlistProblems = ({ title, desc }: { title: string; desc: string }): Problems =>
  found({
    title: textProblem(title, limits().playlist_title),
    desc: textProblem(desc, limits().playlist_description),
  });
