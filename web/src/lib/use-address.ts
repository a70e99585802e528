import { useLocation, useSearch } from 'wouter';

/** The address as the browser has it (wouter's own values are decoded), re-read on change. */
export function useAddress(): { pathname: string; search: string } {
  useLocation();
  useSearch();
  return { pathname: location.pathname, search: location.search };
}
