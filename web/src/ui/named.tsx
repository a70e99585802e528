interface Props {
  title: string;
  detail?: string | undefined;
}

/** A name, followed by what tells it apart from the same name elsewhere in a list. */
export function Named({ title, detail }: Props) {
  return (
    <>
      {title}
      {detail && (
        <>
          {' '}
          <span className="font-normal whitespace-nowrap text-muted">{detail}</span>
        </>
      )}
    </>
  );
}
