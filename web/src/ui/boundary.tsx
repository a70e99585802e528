import { Component, type ReactNode } from 'react';
import { LoadError } from './problem';

interface Props {
  children: ReactNode;
  /** What the page can do without is left out without a word. */
  quiet?: boolean;
}

interface State {
  error: Error | null;
  page: string;
}

/** A part that fails to load or to render leaves the rest of the page alive, and is tried again on the next page. */
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
          location.reload(); // a missing file of an old build comes back with the new page
        }}
      />
    );
  }
}
