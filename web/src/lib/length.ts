/** Characters as people count them, and as the server does. */
export const lengthOf = (text: string): number => Array.from(text).length;
