import { Button } from './button';

interface Props {
  /** The state of an infinite list's next page. */
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  label: string;
  className?: string;
}

/** A button that appends a list's next page, if there is one. */
export function ShowMore({ list, label, className }: Props) {
  if (!list.hasNextPage) return null;
  return (
    <Button
      look="plain"
      disabled={list.isFetchingNextPage}
      className={className}
      onClick={() => list.fetchNextPage()}
    >
      {label}
    </Button>
  );
}
