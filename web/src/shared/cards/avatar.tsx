/** A member's picture, or the first letter of the name. */
export function Avatar({ name, picture }: { name: string; picture: string | null }) {
  return (
    <span
      aria-hidden="true"
      className="grid size-10 shrink-0 place-items-center overflow-hidden rounded-full bg-raised text-sm font-semibold text-muted uppercase"
    >
      {picture ? (
        <img
          src={picture}
          alt=""
          width={80}
          height={80}
          loading="lazy"
          className="size-full object-cover"
        />
      ) : (
        Array.from(name)[0]
      )}
    </span>
  );
}
