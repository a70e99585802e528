/** Signing in and up, and the pages about the site: looked up here, because few visits open one. */
import { lazy } from 'react';
import { NotFound } from '@/app/not-found';
import { Redirect } from '@/app/redirect';
import { segmentsOf } from '@/search/codec';
import { ConfirmPage } from './confirm';
import { RestorePage } from './restore';
import { resolveAccount } from './route';
import { SignInPage } from './signin';
import { SignUpPage } from './signup';

const InformationScreen = lazy(() => import('@/features/information/information-screen'));
const SitemapScreen = lazy(() => import('@/features/information/sitemap-screen'));

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
