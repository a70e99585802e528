import { Button } from './button';

interface Props {
  /** What an infinite list knows of its next page. */
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  label: string;
  className?: string;
}

/** Appends the next page of a list, for as long as there is one. */
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
