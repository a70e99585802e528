/** The screens: one per route, each in a separate chunk. */
import { NotFound } from '@/shared/layout/not-found';
import { Redirect } from '@/shared/layout/redirect';
import { VideoFilters } from '@/shared/filters/on-demand';
import { SearchHelp } from '@/shared/search-help/on-demand';
import { screen } from '@/lib/screen';
import { WIDE } from '@/lib/use-media';
import type { Route } from '@/shared/address/route';

const HomeScreen = screen(() => import('@/pages/home/home-screen'));
const ListingScreen = screen(() => import('@/pages/listing/listing-screen'));
const CategoriesScreen = screen(() => import('@/pages/categories/categories-screen'));
const ModelsScreen = screen(() => import('@/pages/models/models-screen'));
const ModelScreen = screen(() => import('@/pages/model/model-screen'));
const CommunityScreen = screen(() => import('./community-screen'));
const AccountScreen = screen(() => import('./account-screen'));
const VideoScreen = screen(() => import('@/pages/video/video-screen'));

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

const SCREENS = {
  home: HomeScreen,
  listing: ListingScreen,
  categories: CategoriesScreen,
  models: ModelsScreen,
  model: ModelScreen,
  video: VideoScreen,
  community: CommunityScreen,
  account: AccountScreen,
};

/** Loads a route's screen. */
export async function loadScreen(route: Route): Promise<unknown> {
  if (route.page === 'redirect' || route.page === 'not-found') return;
  const list = 'listing' in route ? route.listing : null;
  const isList = list?.list === 'videos';
  const isSearch = isList && list.scope.kind === 'search';
  return Promise.all([
    SCREENS[route.page].load(),
    isSearch && SearchHelp.load(),
    isList && matchMedia(WIDE).matches && VideoFilters.load(),
  ]);
}

/** Identifies a page for focus management. A change of filters or page number doesn't make it another page. */
export const pageKey = (route: Route): string => {
  switch (route.page) {
    case 'listing':
      return `listing ${JSON.stringify(route.listing.scope)}`;
    case 'model':
      return `model ${route.dir} ${String(route.listing === null && route.wall)}`;
    case 'video':
      return `video ${String(route.id)}`;
    case 'community':
      // A wall's pages belong to one list, so typed text and sort order are kept.
      return route.pathname.replace(/(\/wall\/)\d+\/$/, '$1');
    case 'account':
      return route.pathname;
    default:
      return route.page;
  }
};
