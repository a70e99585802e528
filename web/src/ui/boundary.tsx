import { Component, type ReactNode } from 'react';
import { LoadError } from './problem';

interface Props {
  children: ReactNode;
  /** Hides an optional part without an error message. */
  quiet?: boolean;
}

interface State {
  error: Error | null;
  page: string;
}

/** Isolates a part that fails to load or render, and retries it on the next page. */
export class Boundary extends Component<Props, State> {
  override state: State = { error: null, page: location.pathname };
  static getDerivedStateFromProps(_props: Props, { page }: State): State | null {
    return page === location.pathname ? null : { error: null, page: location.pathname };
  }
  static getDerivedStateFromError(error: Error) {
    return { error };
  }
  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    if (this.props.quiet) return null;
    return (
      <LoadError
        error={error}
        onRetry={() => {
          location.reload(); // a file missing from an old build is fixed by a reload
        }}
      />
    );
  }
}
