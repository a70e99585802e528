/** The header's corner for members, and the dialogs any part of the page may ask for. Loaded after the page is there. */
import { lazy, Suspense, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { closeContact, useContactRequest } from '@/shared/contact/contact-request';
import { closeNotice, useNotice } from '@/shared/cookies/notice-request';
import { loadErrorTexts } from '@/i18n/errors';
import { whenIdle } from '@/lib/idle';
import { useAddress } from '@/lib/use-address';
import { useVisitor } from '@/lib/visitor';
import { Button } from '@/ui/button';
import { Disclosure, panelItem } from '@/ui/disclosure';
import { MemberIcon } from '@/ui/member-icons';
import { Bell } from '@/shared/notifications/bell';
import { closeLogin, requestLogin, useLoginRequest } from './login-request';
import { takeReturn } from './return-page';
import { useAccountText } from '@/i18n/account';
import { useMe } from './use-me';
import { usePersonal } from './use-personal';
import { UserMenu } from './user-menu';

const LoginModal = lazy(() => import('./login-modal'));
const ContactModal = lazy(() => import('@/shared/contact/contact-modal'));
const CookieNotice = lazy(() => import('@/shared/cookies/cookie-notice'));

const UPLOADS = [
  ['/upload-video/', 'uploadVideos'],
  ['/upload-album/', 'uploadAlbum'],
] as const;

export default function AccountHost() {
  const me = useMe();
  useReturn(me !== undefined && me !== null);
  useWords();
  usePersonal(me);
  return (
    <>
      {me !== undefined && <UploadMenu isGuest={me === null} />}
      {me === null && <SignInButton />}
      {me && <Bell me={me} />}
      {me && <UserMenu me={me} />}
      <Dialogs />
    </>
  );
}

/** Leads to where films and albums are sent; a guest signs in first, on the page that is open. */
function UploadMenu({ isGuest }: { isGuest: boolean }) {
  const say = useAccountText();
  return (
    <Disclosure
      align="end"
      // Beside the other signs of a narrow window the arrow has no room.
      className="h-11 px-1.5 text-muted hover:text-ink max-[100rem]:[&>span:last-child]:hidden"
      panelClassName="w-56"
      name={say('upload')}
      label={<MemberIcon name="upload" size={22} />}
    >
      {(close) => (
        <ul>
          {UPLOADS.map(([href, key]) => (
            <li key={href}>
              <Link
                href={href}
                className={panelItem(false)}
                onClick={(event) => {
                  close();
                  if (!isGuest) return;
                  event.preventDefault();
                  requestLogin(() => {
                    navigate(href);
                  });
                }}
              >
                {say(key)}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Disclosure>
  );
}

function SignInButton() {
  const say = useAccountText();
  return (
    <Button
      look="icon"
      aria-label={say('signIn')}
      title={say('signIn')}
      aria-haspopup="dialog"
      className="size-11"
      onClick={() => {
        requestLogin();
      }}
    >
      <MemberIcon name="user" size={22} />
    </Button>
  );
}

function Dialogs() {
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
  return (
    <Suspense>
      {login && <LoginModal request={login} />}
      {contact && <ContactModal about={null} onClose={closeContact} />}
      {notice && <CookieNotice onClose={closeNotice} />}
    </Suspense>
  );
}

/** What says that something failed, and what a phone's filters and menu are in: once the line is gone it is too late to ask. */
function useWords(): void {
  const { lang } = useVisitor();
  useEffect(
    () =>
      whenIdle(() => {
        // The first use asks again where this fails.
        void Promise.allSettled([
          loadErrorTexts(lang),
          import('@/ui/toaster'),
          import('@/ui/sheet'),
        ]);
      }),
    [lang],
  );
}

/** After a sign-in elsewhere: back to the page it began on. */
function useReturn(signedIn: boolean): void {
  useEffect(() => {
    if (!signedIn) return;
    const path = takeReturn();
    if (path) navigate(path, { replace: true });
  }, [signedIn]);
}
