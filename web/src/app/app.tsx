import { Suspense, useEffect, useRef, useState } from 'react';
import { Header } from '@/shared/layout/header';
import { useT } from '@/i18n';
import { deferred } from '@/lib/deferred';
import { withOrientation } from '@/lib/oriented';
import { hasAgreed } from '@/lib/cookies';
import { screen } from '@/lib/screen';
import { sent } from '@/lib/sent';
import { RouteAnnouncer } from '@/lib/title';
import { useAddress } from '@/lib/use-address';
import { useVisitor } from '@/lib/visitor';
import { Boundary } from '@/ui/boundary';
import { resolve, type Route } from '@/shared/address/route';
import { film, filmFailure } from '@/shared/player/film';
import { Screen, loadScreen, pageKey } from './screens';

const Footer = deferred(() => import('@/shared/layout/footer'));
const FilmHost = deferred(() =>
  import('@/pages/video/film-host').then(
    (file) => {
      filmFailure.write(null);
      return file;
    },
    (error: unknown) => {
      // The video page shows the error in the player's place.
      if (error instanceof Error) filmFailure.write(error);
      throw error;
    },
  ),
);
const BottomBar = deferred(() => import('@/shared/layout/bottom-bar'));
const AgeGate = screen(() => import('@/pages/age-gate/age-gate'));

const isGated = (): boolean => sent().age_gate === true && !hasAgreed();

/** Loads what the first page needs, so that it renders without a pause. If loading fails, the screen shows the error. */
export async function loadFirst(): Promise<void> {
  const loading = isGated()
    ? AgeGate.load()
    : loadScreen(resolve(location.pathname, location.search));
  await loading.catch(() => undefined);
}

export function App() {
  const [gated, setGated] = useState(isGated);
  const { pathname, search } = useAddress();
  if (gated) {
    return (
      <Suspense>
        <AgeGate onAgree={() => setGated(false)} />
      </Suspense>
    );
  }
  return <Site route={resolve(pathname, search)} address={pathname + search} />;
}

const ignore = () => undefined;

/** The first page comes with its head. Later, the head follows the address and the visitor's choices. */
function useHead(address: string | null): void {
  const { lang, gender } = useVisitor();
  const view = address && [withOrientation(address, gender), lang].join(' ');
  const shown = useRef(view);
  useEffect(() => {
    if (!view || shown.current === view) return;
    shown.current = view;
    // Offline, there is no new head to show.
    import('@/lib/head').then(({ updateHead }) => updateHead(), ignore);
  }, [view]);
}

function Site({ route, address }: { route: Route; address: string }) {
  const t = useT();
  const watched = film.useValue();
  const main = useRef<HTMLElement>(null);
  const key = pageKey(route);
  const shown = useRef(key);
  useHead(route.page === 'redirect' ? null : address);
  useEffect(() => {
    if (shown.current === key || route.page === 'redirect') return;
    shown.current = key;
    // The focus moves to the top of a new page, as in a fresh document.
    main.current?.focus({ preventScroll: true });
  }, [key, route.page]);
  return (
    <>
      <a
        href="#main"
        className="fixed start-4 top-2 z-60 -translate-y-20 rounded-control bg-accent px-4 py-2 text-sm font-semibold text-on-accent focus:translate-y-0"
      >
        {t('header.skip')}
      </a>
      <Boundary quiet>
        <RouteAnnouncer />
      </Boundary>
      <Boundary quiet>
        <Header />
      </Boundary>
      <main id="main" ref={main} tabIndex={-1} className="min-h-[80dvh]">
        <Boundary key={key}>
          <Suspense fallback={<div className="min-h-[200dvh]" aria-busy="true" />}>
            <Screen route={route} />
          </Suspense>
        </Boundary>
      </main>
      <Boundary quiet>
        <Footer />
      </Boundary>
      {watched && (
        <Boundary quiet>
          <FilmHost film={watched} />
        </Boundary>
      )}
      <Boundary quiet>
        <BottomBar />
      </Boundary>
    </>
  );
}
