/** Length in code points, like on the server. */
export const lengthOf = (text: string): number => Array.from(text).length;
