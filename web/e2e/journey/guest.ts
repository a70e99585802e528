/** The guest's steps: finding a video, playing and sharing it, and signing up because of it. */
import { cards, expect, listed } from '../fixtures';
import { linkIn } from '../mails';
import { PASSWORD, expectText } from '../members';
import { isPaused, position } from '../player';
import { press, search, type Person } from './person';

export async function findShortVideos(person: Person): Promise<void> {
  const { page, isPhone } = person;
  await page.goto('/');
  await search(person, 'light');
  await listed(page);
  if (isPhone) await press(person, page.getByRole('button', { name: 'Filters' }));
  const filters = page.getByRole(isPhone ? 'dialog' : 'complementary', { name: 'Filters' });
  await press(person, filters.getByText('Under 10 minutes'));
  await expect(page).toHaveURL(/\?s=light&duration=short$/);
  if (isPhone) {
    await press(person, filters.getByRole('button', { name: /^Show [\d,]+ results?$/ }));
    await expect(filters).toHaveCount(0);
  }
  await expect(page.getByRole('button', { name: 'Remove Under 10 minutes' })).toBeVisible();
  await listed(page);
}

/** Opens the first video in the list. Returns its title. */
export async function openVideo(person: Person): Promise<string> {
  const { page } = person;
  const title = (await cards(page).first().textContent()) ?? '';
  await press(person, cards(page).first());
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  return title;
}

export async function playAndPause(person: Person): Promise<void> {
  const { page } = person;
  await press(person, page.locator('.lantern-big-play'));
  await expect.poll(() => position(page)).toBeGreaterThan(1);
  // On a phone, the first tap may only show the controls.
  await expect(async () => {
    if (!(await isPaused(page))) await press(person, page.locator('.lantern-player'));
    await expect.poll(() => isPaused(page), { timeout: 1000 }).toBe(true);
  }).toPass();
}

export async function shareFromHere(person: Person): Promise<void> {
  const { page } = person;
  const { origin, pathname } = new URL(page.url());
  await press(person, page.getByRole('main').getByRole('button', { name: 'Share' }));
  const dialog = page.getByRole('dialog', { name: 'Share' });
  const link = dialog.getByRole('textbox', { name: 'Link' });
  await expect(link).toHaveValue(origin + pathname);
  const second = Math.floor(await position(page));
  const time = `0:${String(second).padStart(2, '0')}`;
  await press(person, dialog.getByRole('checkbox', { name: `Start at ${time}` }));
  await expect(link).toHaveValue(`${origin}${pathname}?start_time=${String(second)}`);
  await press(person, dialog.getByRole('button', { name: 'Close' }));
  await expect(dialog).toHaveCount(0);
}

const favourite = ({ page }: Person) =>
  page.getByRole('button', { name: 'Favourite', exact: true });
const login = ({ page }: Person) => page.getByRole('dialog', { name: 'Log in' });

/** Tries a members-only action, which leads to the sign-up form. */
export async function signUp(person: Person): Promise<void> {
  const { page, name, email } = person;
  await press(person, favourite(person));
  await press(person, login(person).getByRole('link', { name: 'Sign up' }));
  await expect(page).toHaveURL(/\/signup\/\?next=%2Fvideos%2F/);
  const form = page.getByRole('main');
  await form.getByLabel('Username').fill(name);
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Password').fill(PASSWORD);
  await press(person, form.getByLabel('I am at least 18'));
  await press(person, form.getByRole('button', { name: 'Sign up' }));
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
}

/** Opens the link in a new tab, as mail programs do. Returns the person on that page. */
export async function followMail(person: Person, data: string): Promise<Person> {
  const page = await person.page.context().newPage();
  await page.goto(await linkIn(person.email, /\/confirm\/\?token=[\w-]+/g, data));
  await press(person, page.getByRole('main').getByRole('button', { name: 'Confirm' }));
  await expectText(page, 'Your email is confirmed');
  await person.page.close();
  return { ...person, page };
}

/** Logs in and returns to the video, where the action that was wanted is completed. */
export async function logIn(person: Person, title: string): Promise<void> {
  const { page, name } = person;
  const form = page.getByRole('main');
  await form.getByLabel('Username or email').fill(name);
  await form.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await press(person, form.getByRole('button', { name: 'Log in' }));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  await expectText(page, 'Added to favourites');
  await expect(favourite(person)).toHaveAttribute('aria-pressed', 'true');
}
