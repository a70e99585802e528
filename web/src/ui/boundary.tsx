import { Component, type ReactNode } from 'react';
import { LoadError } from './problem';

interface Props {
  children: ReactNode;
  /** Whether an optional part is hidden without an error message. */
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
          location.reload(); // if a file from an old build is missing, a reload fixes this
        }}
      />
    );
  }
}
