/** Returns the length in code points, as counted on the server. */
export const lengthOf = (text: string): number => Array.from(text).length;
