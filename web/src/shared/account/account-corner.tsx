/** The part of the header that members see in its corner. It loads after the page. */
import { Link } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { Button } from '@/ui/button';
import { Disclosure, panelItem } from '@/ui/disclosure';
import { MemberIcon } from '@/ui/member-icons';
import { Bell } from '@/shared/notifications/bell';
import { requestLogin } from './login-request';
import { useAccountText } from '@/i18n/account';
import { useMe } from './use-me';
import { UserMenu } from './user-menu';

const UPLOADS = [
  ['/upload-video/', 'uploadVideos'],
  ['/upload-album/', 'uploadAlbum'],
] as const;

export default function AccountCorner() {
  const me = useMe();
  return (
    <>
      {me !== undefined && <UploadMenu isGuest={me === null} />}
      {me === null && <SignInButton />}
      {me && <Bell me={me} />}
      {me && <UserMenu me={me} />}
    </>
  );
}

/** Links to the upload screens for videos and albums. A guest logs in first, on the current page. */
function UploadMenu({ isGuest }: { isGuest: boolean }) {
  const say = useAccountText();
  return (
    <Disclosure
      align="end"
      // In narrower windows, there is no room for the arrow next to the other icons.
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
                  requestLogin(() => navigate(href), { path: href });
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
      onClick={() => requestLogin()}
    >
      <MemberIcon name="user" size={22} />
    </Button>
  );
}
