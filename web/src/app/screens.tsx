/** One screen a route, each in its own file of the build. */
import { lazy } from 'react';
import { NotFound } from '@/shared/layout/not-found';
import { Redirect } from '@/shared/layout/redirect';
import type { Route } from '@/shared/address/route';

const HomeScreen = lazy(() => import('@/pages/home/home-screen'));
const ListingScreen = lazy(() => import('@/pages/listing/listing-screen'));
const CategoriesScreen = lazy(() => import('@/pages/categories/categories-screen'));
const ModelsScreen = lazy(() => import('@/pages/models/models-screen'));
const ModelScreen = lazy(() => import('@/pages/model/model-screen'));
const CommunityScreen = lazy(() => import('./community-screen'));
const AccountScreen = lazy(() => import('./account-screen'));
const VideoScreen = lazy(() => import('@/pages/video/video-screen'));

export function Screen({ route }: { route: Route }) {
  switch (route.page) {
    case 'redirect':
      return <Redirect to={route.to} />;
    case 'home':
      return <HomeScreen />;
    case 'listing':
      return <ListingScreen listing={route.listing} />;
    case 'categories':
      return <CategoriesScreen />;
    case 'models':
      return <ModelsScreen listing={route.listing} />;
    case 'model':
      return <ModelScreen key={route.dir} {...route} />;
    case 'video':
      return <VideoScreen key={route.id} {...route} />;
    case 'community':
      return <CommunityScreen shown={route.shown} search={route.search} />;
    case 'account':
      return <AccountScreen shown={route.shown} search={route.search} />;
    case 'not-found':
      return <NotFound />;
  }
}

/** What makes another page of an address, for focus: filters and pages of a list do not. */
export const pageKey = (route: Route): string => {
  switch (route.page) {
    case 'listing':
      return `listing ${JSON.stringify(route.listing.scope)}`;
    case 'model':
      return `model ${route.dir} ${String(route.listing === null && route.wall)}`;
    case 'video':
      return `video ${String(route.id)}`;
    case 'community':
      // Pages of a wall are pages of a list: what is typed and the order stay.
      return route.pathname.replace(/(\/wall\/)\d+\/$/, '$1');
    case 'account':
      return route.pathname;
    default:
      return route.page;
  }
};
