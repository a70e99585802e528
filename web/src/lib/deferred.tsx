import { Component, lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react';

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

const onceOnline = (then: () => void): void => addEventListener('online', then, { once: true });

/** Retries a load that failed offline once the connection is back. */
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

/** Shows `instead` while anything that the part itself loads, such as texts, fails offline. The rest of the page stays. */
class Waiting extends Component<WaitingProps, { waits: boolean }> {
  override state = { waits: false };
  static getDerivedStateFromError(error: Error) {
    if (navigator.onLine) throw error;
    return { waits: true };
  }
  override componentDidCatch() {
    onceOnline(() => this.setState({ waits: false }));
  }
  override render() {
    return this.state.waits ? this.props.instead : this.props.children;
  }
}

/** A part of the page whose code loads on first use. Until then, `fallback` reserves the part's space. */
export function deferred<Props extends object>(
  load: Load<Props>,
  fallback?: ReactNode,
): ComponentType<Props> {
  const get = whenOnline(load);
  const make = (): ComponentType<Props> =>
    lazy(() =>
      get().catch((error: unknown) => {
        // The next use retries.
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

/** Makes a load optional: if it fails, the substitute is shown if there is one, else nothing. */
export const orNothing =
  <Props extends object>(
    load: Load<Props>,
    Instead: ComponentType<Props> = () => null,
  ): Load<Props> =>
  () =>
    load().catch(() => ({ default: Instead }));

/** Same as `deferred`, but for optional parts of the page. */
export const optional = <Props extends object>(
  load: Load<Props>,
  Instead?: ComponentType<Props>,
): ComponentType<Props> => deferred(orNothing(load, Instead));
