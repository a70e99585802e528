/**
 * Login, sign-up, information pages, and the entry to members' upload and edit screens. They share one chunk, because few visits open
 * any of them.
 */
import { lazy } from 'react';
import { RestorePage, SignUpPage } from '@/pages/account/by-mail';
import { ConfirmPage } from '@/pages/account/confirm';
import type { AccountMatch } from '@/shared/address/route';
import { UnsubscribePage } from '@/pages/account/unsubscribe';
import { SignInPage } from '@/pages/account/signin';

const InformationScreen = lazy(() => import('@/pages/information/information-screen'));
const SitemapScreen = lazy(() => import('@/pages/information/sitemap-screen'));
const EditAlbumScreen = lazy(() => import('@/pages/upload-album/edit-album-screen'));
const DownloadScreen = lazy(() => import('@/pages/download/download-screen'));
const EditScreen = lazy(() => import('@/pages/upload/edit-screen'));
const ModerateScreen = lazy(() => import('@/pages/moderate/moderate-screen'));
const UploadAlbumScreen = lazy(() => import('@/pages/upload-album/upload-album-screen'));
const UploadScreen = lazy(() => import('@/pages/upload/upload-screen'));

export default function AccountScreen({ shown, search }: { shown: AccountMatch; search: string }) {
  switch (shown.screen) {
    case 'signin':
      return <SignInPage search={search} />;
    case 'signup':
      return <SignUpPage search={search} />;
    case 'confirm':
      return <ConfirmPage search={search} />;
    case 'restore-password':
      return <RestorePage search={search} />;
    case 'unsubscribe':
      return <UnsubscribePage search={search} />;
    case 'information':
      return <InformationScreen topic={shown.places.topic} />;
    case 'sitemap':
      return <SitemapScreen />;
    case 'upload':
      return <UploadScreen />;
    case 'upload-album':
      return <UploadAlbumScreen />;
    case 'moderate':
      return <ModerateScreen search={search} />;
    case 'download':
      return <DownloadScreen search={search} />;
    case 'profile':
      return new URLSearchParams(search).has('album_id') ? (
        <EditAlbumScreen search={search} />
      ) : (
        <EditScreen search={search} />
      );
  }
}
