// The chapters of the player for other sites (`site/src/embed.rs`). Without this script, their links load the player at the chapter.
const video = document.querySelector('video');
const menu = document.querySelector('.chapters');
const links = [...document.querySelectorAll('[data-start]')];
const startOf = (link) => Number(link.dataset.start);

menu.addEventListener('click', (event) => {
  const link = event.target.closest('[data-start]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  menu.open = false;
  const go = () => {
    video.currentTime = startOf(link);
  };
  if (video.readyState > 0) go();
  else video.addEventListener('loadedmetadata', go, { once: true });
  // The browser may refuse to play, and the play button remains.
  video.play().catch(() => undefined);
});

const mark = () => {
  const current = links.findLast((link) => startOf(link) <= video.currentTime);
  for (const link of links) link.removeAttribute('aria-current');
  current?.setAttribute('aria-current', 'true');
};
for (const type of ['playing', 'seeking', 'timeupdate']) video.addEventListener(type, mark);
