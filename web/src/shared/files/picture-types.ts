import { limits } from '@/lib/limits';

/** Accepted picture types, for the file dialog. */
export const pictureTypes = (): string => limits().picture_types.join();
