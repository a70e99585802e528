import { lazy, Suspense, type ComponentType, type ReactNode } from 'react';

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** A part of the page whose code comes with its first use; `fallback` keeps its place until then. */
export function deferred<Props extends object>(
  load: Load<Props>,
  fallback?: ReactNode,
): ComponentType<Props> {
  const Part: ComponentType<Props> = lazy(load);
  return (props) => (
    <Suspense fallback={fallback}>
      <Part {...props} />
    </Suspense>
  );
}

/** Loads what the page can do without: where it can't be had, there is nothing, or what stands in for it. */
export const orNothing =
  <Props extends object>(
    load: Load<Props>,
    Instead: ComponentType<Props> = () => null,
  ): Load<Props> =>
  () =>
    load().catch(() => ({ default: Instead }));

/** `deferred`, for what the page can do without. */
export const optional = <Props extends object>(
  load: Load<Props>,
  Instead?: ComponentType<Props>,
): ComponentType<Props> => deferred(orNothing(load, Instead));
