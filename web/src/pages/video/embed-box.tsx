/** The player of the site that a video was taken over from: it may run its own scripts, and lead nowhere. */
export function EmbedBox({ title, src }: { title: string; src: string }) {
  return (
    <iframe
      title={title}
      src={src}
      sandbox="allow-scripts allow-same-origin"
      allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
      referrerPolicy="no-referrer"
      className="size-full border-0"
    />
  );
}
