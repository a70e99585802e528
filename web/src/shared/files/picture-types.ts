import { limits } from '@/lib/limits';

/** Returns the accepted picture types for the file dialog. */
export const pictureTypes = (): string => limits().picture_types.join();
