/** Asks a guest to log in on members' screens. A guest who declines is sent to the home page. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { requestLogin, useLoginRequest } from './login-request';
import { meQuery } from './use-me';
import { paths } from '@/shared/address/paths';

export function AskLogin() {
  const client = useQueryClient();
  const request = useLoginRequest();
  const wasAsked = useRef(false);
  useEffect(() => {
    if (request) wasAsked.current = true;
    // Here, the interrupted action is the screen itself.
    else if (!wasAsked.current) requestLogin(() => undefined);
    else if (!client.getQueryData(meQuery.queryKey)?.user) {
      navigate(paths.home, { replace: true });
    }
  }, [request, client]);
  return null;
}
