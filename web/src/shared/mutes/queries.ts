import { get } from '@/api/client';
import type { Lang } from '@/lib/audience';

export const mutesQuery = (lang: Lang) => get('/api/mutes.php', { lang });
