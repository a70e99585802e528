import { lazy, Suspense, type ComponentType, type ReactNode } from 'react';

/** A part of the page whose code comes with its first use; `fallback` keeps its place until then. */
export function deferred<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  fallback?: ReactNode,
): ComponentType<Props> {
  const Part: ComponentType<Props> = lazy(load);
  return (props) => (
    <Suspense fallback={fallback}>
      <Part {...props} />
    </Suspense>
  );
}
