/**
 * The page that a guest wanted before being sent to the home page to log in. It is in the home page's `?next=`, which the server sets, too
 * (`site/src/show.rs`).
 */
import { useEffect } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { useAddress } from '@/lib/use-address';
import { paths } from '@/shared/address/paths';
import { requestLogin } from './login-request';
import { nextOf } from './next';
import type { Me } from './use-me';

/** Returns the address of the home page with the login dialog open. Logging in leads to `wanted`. */
export const signInFirst = (wanted: string): string =>
  `${paths.home}?${new URLSearchParams({ next: wanted }).toString()}`;

/** Opens the login dialog for guests who were sent to the home page, and then continues to the page they wanted. */
export function useWanted(me: Me | null | undefined): void {
  const { pathname, search } = useAddress();
  useEffect(() => {
    const next = pathname === paths.home ? nextOf(search) : paths.home;
    if (next === paths.home || me === undefined) return;
    const goOn = () => navigate(next, { replace: true });
    if (me) {
      goOn();
      return;
    }
    // Closing the dialog leaves the visitor on the home page, and a reload doesn't ask again.
    const left = new URLSearchParams(search);
    left.delete('next');
    const query = left.toString();
    navigate(query ? `${pathname}?${query}` : pathname, { replace: true });
    requestLogin(goOn, { path: next });
  }, [pathname, search, me]);
}
