import { limits } from '@/lib/limits';

/** Pictures that the server takes, for the browser's own dialog. */
export const pictureTypes = (): string => limits().picture_types.join();
