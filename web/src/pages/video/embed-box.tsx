/** The embedded player from a video's original site. It may run scripts, but not navigate. */
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
