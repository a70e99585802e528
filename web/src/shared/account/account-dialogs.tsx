/**
 * Dialogs that any part of the page can open, and what follows a login. They outlive the header's corner, which is recreated when a
 * tablet is rotated. This module loads after the page.
 */
import { lazy, Suspense, useEffect, useRef } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { loadErrorTexts } from '@/i18n/errors';
import { whenIdle } from '@/lib/idle';
import { useAddress } from '@/lib/use-address';
import { useVisitor } from '@/lib/visitor';
import { useDeed } from '@/shared/actions/use-act';
import { closeContact, useContactRequest } from '@/shared/contact/contact-request';
import { closeNotice, useNotice } from '@/shared/cookies/notice-request';
import { closeLogin, useLoginRequest } from './login-request';
import { takeReturn } from './return-page';
import { useMe } from './use-me';
import { usePersonal } from './use-personal';
import { useWanted } from './wanted';
import { takeDeed } from './wish';

const LoginModal = lazy(() => import('./login-modal'));
const ContactModal = lazy(() => import('@/shared/contact/contact-modal'));
const CookieNotice = lazy(() => import('@/shared/cookies/cookie-notice'));

export default function AccountDialogs() {
  const me = useMe();
  useReturn(me !== undefined && me !== null);
  usePreload();
  usePersonal(me);
  const login = useLoginRequest();
  const contact = useContactRequest();
  const notice = useNotice();
  const { pathname } = useAddress();
  const shown = useRef(pathname);
  useEffect(() => {
    // Dialogs belong to the page they were opened on.
    if (shown.current === pathname) return;
    shown.current = pathname;
    closeLogin();
    closeContact();
  }, [pathname]);
  // This must run after the effect that closes the previous page's dialogs.
  useWanted(me);
  return (
    <Suspense>
      {login && <LoginModal request={login} />}
      {contact && <ContactModal about={null} onClose={closeContact} />}
      {notice && <CookieNotice onClose={closeNotice} />}
    </Suspense>
  );
}

/** Preloads error texts, and the code for a phone's filters and menu. Once the browser is offline, it is too late to load them. */
function usePreload(): void {
  const { lang } = useVisitor();
  useEffect(
    () =>
      whenIdle(() => {
        // If this fails, the first use retries.
        void Promise.allSettled([
          loadErrorTexts(lang),
          import('@/ui/toaster'),
          import('@/ui/sheet'),
        ]);
      }),
    [lang],
  );
}

/** After an external login, returns to the page where it began and completes the interrupted action. */
function useReturn(signedIn: boolean): void {
  const perform = useDeed();
  useEffect(() => {
    if (!signedIn) return;
    const path = takeReturn();
    if (path) navigate(path, { replace: true });
    const deed = takeDeed(path ?? location.pathname + location.search);
    if (deed) void perform(deed);
  }, [signedIn, perform]);
}
