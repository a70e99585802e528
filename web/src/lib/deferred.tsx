import { Component, lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react';

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

const onceOnline = (then: () => void): void => {
  addEventListener('online', then, { once: true });
};

/** What can't be had without a line comes once there is one. */
const whenOnline =
  <Props extends object>(load: Load<Props>): Load<Props> =>
  () =>
    load().catch(async (error: unknown) => {
      if (navigator.onLine) throw error;
      await new Promise<void>(onceOnline);
      return load();
    });

interface WaitingProps {
  instead: ReactNode;
  children: ReactNode;
}

/** The same for what a part asks for in its turn, such as its texts: the rest of the page stays as it is. */
class Waiting extends Component<WaitingProps, { waits: boolean }> {
  override state = { waits: false };
  static getDerivedStateFromError(error: Error) {
    if (navigator.onLine) throw error;
    return { waits: true };
  }
  override componentDidCatch() {
    onceOnline(() => {
      this.setState({ waits: false });
    });
  }
  override render() {
    return this.state.waits ? this.props.instead : this.props.children;
  }
}

/** A part of the page whose code comes with its first use; `fallback` keeps its place until then. */
export function deferred<Props extends object>(
  load: Load<Props>,
  fallback?: ReactNode,
): ComponentType<Props> {
  const get = whenOnline(load);
  const make = (): ComponentType<Props> =>
    lazy(() =>
      get().catch((error: unknown) => {
        // Who shows it next asks anew.
        Latest = make();
        throw error;
      }),
    );
  let Latest = make();
  return function Deferred(props) {
    const [Part] = useState(() => Latest);
    return (
      <Waiting instead={fallback}>
        <Suspense fallback={fallback}>
          <Part {...props} />
        </Suspense>
      </Waiting>
    );
  };
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
