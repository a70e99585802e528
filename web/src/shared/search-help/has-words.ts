/** Whether a query has something to search for, and not only exclusions. */
export const hasWords = (query: string): boolean =>
  /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(query.replace(/(^|\s)[-−－]("[^"]*"?|\S*)/gu, ''));
