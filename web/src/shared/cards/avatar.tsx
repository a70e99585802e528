import { cn } from '@/lib/cn';

interface Props {
  name: string;
  picture: string | null;
  /** Classes that set the size of the avatar and of its letter. */
  className?: string;
}

/** A member's picture, or the first letter of the member's name. */
export function Avatar({ name, picture, className = 'size-10 text-sm' }: Props) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        'grid shrink-0 place-items-center overflow-hidden rounded-full bg-raised font-semibold text-muted uppercase',
        className,
      )}
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
