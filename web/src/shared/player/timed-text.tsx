/** Times in texts about a film, as links that play it from there. */
import { Fragment, type ComponentProps } from 'react';
import { timeParts } from './times';
import { playAt } from './play-at';

/** The film that a text is about. */
export interface TimedFilm {
  /** The address of its page. */
  href: string;
  /** Its duration. */
  seconds: number;
}

type Props = ComponentProps<'a'> & {
  /** The address of the film's page. */
  href: string;
  /** The second to play from. */
  at: number;
};

/** A link to a second of the film that is being watched. A click plays it from there; the address is for other tabs and other people. */
export function TimeLink({ href, at, children, ...rest }: Props) {
  return (
    <a
      {...rest}
      href={`${href}?start_time=${String(at)}`}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        playAt(at);
      }}
    >
      {children}
    </a>
  );
}

/** A text whose times are links, if there is a film. */
export function TimedText({ text, film }: { text: string; film: TimedFilm | undefined }) {
  if (!film) return text;
  return timeParts(text, film.seconds).map(({ text: part, at }, index) =>
    at === undefined ? (
      <Fragment key={index}>{part}</Fragment>
    ) : (
      <TimeLink
        key={index}
        href={film.href}
        at={at}
        className="text-accent tabular-nums underline underline-offset-4"
      >
        {part}
      </TimeLink>
    ),
  );
}
