/** The member's steps in German: uploading a video, renaming it, and deleting the account. */
import { expect, listed } from '../fixtures';
import { film } from '../films';
import { PASSWORD, expectText } from '../members';
import { speaker } from '../words';
import { follow, press, type Person } from './person';

const [common, account, upload] = [
  speaker('common', 'de'),
  speaker('account', 'de'),
  speaker('upload', 'de'),
];

/** Switches the language of an open list, which stays in place at the same scroll position. */
export async function changeToGerman(person: Person): Promise<void> {
  const { page } = person;
  const address = page.url();
  const place = () => page.evaluate(() => Math.round(scrollY));
  // Scroll up a little, which brings back the header on a phone.
  await page.mouse.wheel(0, 700);
  await expect.poll(place).toBe(700);
  await page.mouse.wheel(0, -100);
  await expect.poll(place).toBe(600);
  await press(person, page.getByRole('button', { name: /^Language/ }));
  const german = page.getByRole('button', { name: 'Deutsch' });
  await expect(german).toBeInViewport();
  const before = await place();
  await press(person, german);
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  const save = page.getByRole('button', { name: speaker('saved', 'de')('save'), exact: true });
  await expect(save).toHaveAttribute('aria-pressed', 'true');
  await listed(page);
  expect(page.url()).toBe(address);
  await expect.poll(place).toBe(before);
}

/** Simulates a slow connection, so that the form is filled in during the upload. */
async function slowDown({ page }: Person) {
  const line = await page.context().newCDPSession(page);
  const send = (bytes: number) =>
    line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: bytes,
    });
  await send(5_000);
  return () => send(-1);
}

/** Uploads a video, and asserts that it is among the member's uploads, renamed and being processed. */
export async function uploadFilm(person: Person): Promise<void> {
  const { page } = person;
  const main = page.getByRole('main');
  await follow(person, account('upload'), account('uploadVideos'));
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(account('uploadVideos'));
  const restoreSpeed = await slowDown(person);
  await main
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'Abend_am_Hafen.mp4', mimeType: 'video/mp4', buffer: film() });
  const card = main.getByRole('listitem').filter({ hasText: 'Abend_am_Hafen.mp4' });
  const form = card.getByRole('form');
  const title = form.getByLabel(upload('filmTitle'), { exact: true });
  await expect(title).toHaveValue('Abend am Hafen');
  // The video is shorter than the minimum, so it is held until this box is checked.
  await press(person, form.getByLabel(upload('exclusive')));
  await expect(card.getByText(upload('is_sending')).first()).toBeVisible();
  await press(person, form.getByRole('combobox', { name: common('filter.categories') }));
  await press(person, form.getByRole('listbox').getByRole('option').first());
  await press(person, form.getByRole('button', { name: upload('save') }));
  await expectText(page, upload('described', { title: 'Abend am Hafen' }));

  await press(person, card.getByRole('button', { name: `${upload('change')}: Abend am Hafen` }));
  await title.fill('Morgen am Hafen');
  await press(person, form.getByRole('button', { name: upload('save') }));
  await expectText(page, upload('described', { title: 'Morgen am Hafen' }));
  await expect(card.getByText(upload('is_sending')).first()).toBeVisible();

  await restoreSpeed();
  const steps = ['is_waiting', 'stepChecking', 'stepEncoding', 'stepPictures'];
  const worked = new RegExp(steps.map((step) => upload(step)).join('|'));
  await expect(card.getByText(worked).first()).toBeVisible();
  await page.reload();
  await expect(card.getByRole('heading', { name: 'Morgen am Hafen' })).toBeVisible();
}

/** Deletes the account together with its uploads and the member's page. */
export async function deleteAccount(person: Person): Promise<void> {
  const { page, name } = person;
  await follow(person, account('menu', { name }), account('settings'));
  await press(person, page.getByRole('button', { name: account('deleteTitle') }));
  const profile = new URL('../', page.url()).pathname;
  expect(profile).toMatch(/^\/members\/\d+\/$/);
  const dialog = page.getByRole('dialog', { name: account('deleteTitle') });
  await expect(dialog).toContainText(name);
  await press(person, dialog.getByLabel(account('deleteUploads')));
  await dialog.getByLabel(account('currentPassword')).fill(PASSWORD);
  await press(person, dialog.getByRole('button', { name: account('deleteForGood') }));
  await expect(page).toHaveURL(new URL('/', page.url()).href);
  await expect(page.getByRole('button', { name: account('signIn') })).toBeVisible();
  expect((await page.goto(profile))?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(common('notFound.title'));
}
