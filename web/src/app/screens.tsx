/** One screen a route, each in its own file of the build. */
import { lazy } from 'react';
import { NotFound } from './not-found';
import { Redirect } from './redirect';
import type { Route } from './route';

const HomeScreen = lazy(() => import('@/features/home/home-screen'));
const ListingScreen = lazy(() => import('@/features/listing/listing-screen'));
const CategoriesScreen = lazy(() => import('@/features/categories/categories-screen'));
const ModelsScreen = lazy(() => import('@/features/models/models-screen'));
const ModelScreen = lazy(() => import('@/features/model/model-screen'));
const CommunityScreen = lazy(() => import('@/features/community/community-screen'));
const AccountScreen = lazy(() => import('@/features/account/account-screen'));
const VideoScreen = lazy(() => import('@/features/video/video-screen'));

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
      return <VideoScreen key={route.id} id={route.id} startTime={route.startTime} />;
    case 'community':
      return <CommunityScreen pathname={route.pathname} search={route.search} />;
    case 'account':
      return <AccountScreen pathname={route.pathname} search={route.search} />;
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
    case 'account':
      return route.pathname;
    default:
      return route.page;
  }
};
