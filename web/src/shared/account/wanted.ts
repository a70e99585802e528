/** Where a guest wanted to go who was led home to sign in: the home page's `?next=`, which the server writes, too (`api/src/page/show.rs`). */
import { useEffect } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { useAddress } from '@/lib/use-address';
import { paths } from '@/shared/address/paths';
import { requestLogin } from './login-request';
import { nextOf } from './next';
import type { Me } from './use-me';

/** The home page with the sign-in open, which leads on to `wanted`. */
export const signInFirst = (wanted: string): string =>
  `${paths.home}?${new URLSearchParams({ next: wanted }).toString()}`;

/** Opens the sign-in for who was led home, and goes on after it. */
export function useWanted(me: Me | null | undefined): void {
  const { pathname, search } = useAddress();
  useEffect(() => {
    const next = pathname === paths.home ? nextOf(search) : paths.home;
    if (next === paths.home || me === undefined) return;
    const goOn = () => {
      navigate(next, { replace: true });
    };
    if (me) {
      goOn();
      return;
    }
    // Whoever closes the dialog is on the home page, and a reload is no second question.
    const left = new URLSearchParams(search);
    left.delete('next');
    const query = left.toString();
    navigate(query ? `${pathname}?${query}` : pathname, { replace: true });
    requestLogin(goOn, { path: next });
  }, [pathname, search, me]);
}
