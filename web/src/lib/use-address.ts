import { useLocation, useSearch } from 'wouter';

/** Returns the raw address from the browser, because wouter decodes its values. It is read again on each change. */
export function useAddress(): { pathname: string; search: string } {
  useLocation();
  useSearch();
  return { pathname: location.pathname, search: location.search };
}
