/** Signing in and up, and the pages about the site: looked up here, because few visits open one. */
import { lazy } from 'react';
import { NotFound } from '@/shared/layout/not-found';
import { Redirect } from '@/shared/layout/redirect';
import { segmentsOf } from '@/search/codec';
import { ConfirmPage } from '@/pages/account/confirm';
import { RestorePage } from '@/pages/account/restore';
import { resolveAccount } from '@/shared/address/account-route';
import { SignInPage } from '@/pages/account/signin';
import { SignUpPage } from '@/pages/account/signup';

const InformationScreen = lazy(() => import('@/pages/information/information-screen'));
const SitemapScreen = lazy(() => import('@/pages/information/sitemap-screen'));

export default function AccountScreen({ pathname, search }: { pathname: string; search: string }) {
  const route = resolveAccount(segmentsOf(pathname));
  switch (route.page) {
    case 'signin':
      return <SignInPage search={search} />;
    case 'signup':
      return <SignUpPage search={search} />;
    case 'confirm':
      return <ConfirmPage search={search} />;
    case 'restore-password':
      return <RestorePage search={search} />;
    case 'information':
      return <InformationScreen topic={route.topic} />;
    case 'sitemap-page':
      return <SitemapScreen />;
    case 'redirect':
      return <Redirect to={route.to} />;
    case 'not-found':
      return <NotFound />;
  }
}
