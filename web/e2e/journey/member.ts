/** The member's steps: filling and playing a playlist, commenting, and saving a search. */
import { cards, expect, listed } from '../fixtures';
import { expectText, sent, type Somebody } from '../members';
import { position } from '../player';
import { follow, press, search, type Person } from './person';

const heading = ({ page }: Person) => page.getByRole('heading', { level: 1 });

/** Opens the dialog that adds the page's video to playlists. */
async function openPlaylists(person: Person) {
  const button = person.page.getByRole('main').getByRole('button', { name: 'Add to playlist' });
  await press(person, button.first());
  return person.page.getByRole('dialog', { name: 'Add to playlist' });
}

/** Creates a playlist with the page's video and its first related video. */
export async function fillPlaylist(person: Person, title: string): Promise<void> {
  const { page } = person;
  const dialog = await openPlaylists(person);
  await press(person, dialog.getByRole('button', { name: 'New playlist' }));
  await dialog.getByLabel('Title').fill('Harbour');
  await dialog.getByLabel('Description').fill('Evenings by the harbour');
  await press(person, dialog.getByRole('button', { name: 'Create' }));
  await expect(page).toHaveURL(/\/members\/\d+\/playlists\/1\/$/);
  await expect(page.getByRole('link', { name: 'Harbour', exact: true })).toBeVisible();

  await page.goBack();
  await expect(heading(person)).toHaveText(title);
  const related = page.getByRole('region', { name: 'Related videos' }).locator('h3 a').first();
  const second = (await related.textContent()) ?? '';
  await press(person, related);
  await expect(heading(person)).toHaveText(second);
  const harbour = (await openPlaylists(person)).getByRole('checkbox', { name: /Harbour/ });
  await press(person, harbour);
  await expect(harbour).toBeChecked();
  await expectText(page, 'Added to “Harbour”');
  await press(person, dialog.getByRole('button', { name: 'Close' }));
}

/** Plays both videos, one after the other. */
export async function playPlaylist(person: Person): Promise<void> {
  const { page } = person;
  await follow(person, `Account of ${person.name}`, 'Playlists');
  await press(person, page.getByRole('link', { name: 'Harbour', exact: true }));
  await expect(cards(page)).toHaveCount(2);
  const titles = await cards(page).allTextContents();
  await press(person, page.getByRole('link', { name: 'Play all' }));
  const strip = page.getByRole('region', { name: 'Harbour' });
  for (const [at, title] of titles.entries()) {
    if (at > 0) await press(person, strip.getByRole('link', { name: 'Next video' }));
    await expect(heading(person)).toHaveText(title);
    await expect(strip.getByText(`${String(at + 1)} of 2`)).toBeVisible();
    await expect(strip.locator('[aria-current]')).toContainText(title);
    await expect.poll(() => position(page)).toBeGreaterThan(0);
  }
}

/** Comments on the page's video. */
export async function comment(person: Person, text: string): Promise<void> {
  await person.page.getByLabel('Your comment').fill(text);
  await press(person, person.page.getByRole('button', { name: 'Send' }));
  await expectText(person.page, 'Comment published');
}

const threadWith = ({ page }: Somebody, text: string) =>
  page.getByRole('listitem').filter({ hasText: text }).first();

/** Has another member reply to the comment on the video that the person has open. */
export async function reply(person: Person, other: Somebody, text: string, answer: string) {
  await other.page.goto(new URL(person.page.url()).pathname);
  const thread = threadWith(other, text);
  await press(person, thread.getByRole('button', { name: 'Reply' }));
  await thread.getByLabel(`Your reply to ${person.name}`).fill(answer);
  await press(person, thread.getByRole('button', { name: 'Send' }));
  await expect(thread.getByText(answer)).toBeVisible();
}

/** Sees the notification elsewhere on the site and follows it to the reply. */
export async function readReply(person: Person, from: string, answer: string): Promise<void> {
  const { page } = person;
  const title = (await heading(person).textContent()) ?? '';
  await page.goto('/categories/');
  await press(person, page.getByRole('button', { name: 'Notifications, new: 1' }));
  await press(person, page.getByRole('link', { name: new RegExp(`${from} replied to you`) }));
  await expect(heading(person)).toHaveText(title);
  const comments = page.getByRole('region', { name: 'Comments' });
  await expect(comments).toBeInViewport();
  await expect(comments.getByText(answer)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
}

/** Asserts that the person's comment was deleted with the account, and that the reply is still in place. */
export async function findReplyAlone(other: Somebody, text: string, answer: string) {
  await other.page.reload();
  await expect(threadWith(other, answer)).toContainText('This comment was deleted');
  await expect(other.page.getByText(text)).toHaveCount(0);
}

export async function saveSearch(person: Person): Promise<void> {
  const { page } = person;
  await search(person, 'light');
  await listed(page);
  const save = page.getByRole('button', { name: 'Save search' });
  await press(person, save);
  await expectText(page, 'Search saved');
  await expect(save).toHaveAttribute('aria-pressed', 'true');
  await follow(person, `Account of ${person.name}`, 'Saved searches');
  await expect(page.locator('main li h2')).toHaveText(['light']);
  await expectText(page, 'Nothing new since your last visit');
}

/** Opens the new results of a search that was last viewed long ago. */
export async function followNews(person: Person): Promise<void> {
  const { page } = person;
  const old = { title: 'short light', address: '/search/1/?s=light&duration=short', seen_at: 1 };
  await sent(page, '/api/stat.php', { act: 'saved_search', section: 'add', ...old });
  await page.reload();
  await expect(page.locator('main li h2')).toHaveText(['light', 'short light']);
  const news = page.getByRole('link', { name: /^[\d,]+ new since your last visit$/ });
  await press(person, news);
  await expect(page).toHaveURL(/\/search\/1\/\?s=light&sort=latest-updates&duration=short$/);
  await listed(page);
  const card = page.locator('main article').first();
  await expect(card.getByText('New', { exact: true })).toBeVisible();
}
