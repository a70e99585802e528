import { useQueryClient } from '@tanstack/react-query';
import type { Path } from '@/api/call';
import Sheet from '@/ui/sheet';
import { LoginForm } from './login-form';
import { closeLogin, type LoginRequest } from './login-request';
import { useAccountText } from '@/i18n/account';
import { useRequireLogin } from './use-require-login';
import { storeWish, takeDeed } from './wish';

/** Signed video links expire by themselves, and refetching them would restart the player. */
const STREAM = '/api/videofile.php' satisfies Path;
const isStream = (key: unknown): boolean => typeof key === 'string' && key.startsWith(STREAM);

export default function LoginModal({ request }: { request: LoginRequest }) {
  const say = useAccountText();
  const client = useQueryClient();
  const act = useRequireLogin();
  const { action, wish } = request;
  const path = location.pathname + location.search;
  const done = async () => {
    if (!action) {
      location.reload();
      return;
    }
    // The action is done here and now, not on a later page.
    takeDeed(path);
    // Refetches all data that depends on the viewer in place, because a reload would lose the interrupted action.
    await client.invalidateQueries({ predicate: ({ queryKey: [key] }) => !isStream(key) });
    closeLogin();
    await act(action);
  };
  return (
    <Sheet title={say('signIn')} place="center" onClose={closeLogin}>
      {action && <p className="pb-5 text-sm text-muted">{say('why')}</p>}
      <LoginForm
        next={wish.path ?? path}
        onDone={done}
        onLeave={() => {
          storeWish({ path, ...wish });
          closeLogin();
        }}
      />
    </Sheet>
  );
}
