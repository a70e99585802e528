import { useLocation, useSearch } from 'wouter';

/** The raw address from the browser (wouter decodes its values), re-read on change. */
export function useAddress(): { pathname: string; search: string } {
  useLocation();
  useSearch();
  return { pathname: location.pathname, search: location.search };
}
