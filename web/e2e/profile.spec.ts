/** Tests a member's profile, and which pictures are accepted and rejected. */
import { expect, expectAccessible, test } from './fixtures';
import { expectText } from './members';
import { drawn } from './pictures';

test.use({ expected: [/status of 422/] });

test('a profile with a picture', async ({ newMember }) => {
  const { page, id, name } = await newMember();
  await page.goto(`/members/${String(id)}/info/`);
  const form = page.getByRole('form', { name: 'Profile' });
  await form.getByLabel('City').fill('Otaru');
  await form.getByLabel('Website').fill('not an address');
  await form.getByLabel('Relationship').selectOption({ label: 'Single' });
  await form.getByLabel(/^Profile picture/).setInputFiles(await drawn(page, 400, 400));
  await expect(form.getByRole('img', { name: 'Profile picture' })).toHaveAttribute('src', /^blob:/);
  await form.getByRole('button', { name: 'Save' }).click();
  const website = form.getByLabel('Website');
  await expect(website).toHaveAttribute('aria-invalid', 'true');
  // Submitting at the bottom moves the focus up to the first invalid field.
  await expect(website).toBeFocused();
  await expect(website).toBeInViewport();
  await expectText(page, 'Please enter a full address, such as https://example.com.');
  await expect(form.getByLabel('City')).toHaveValue('Otaru');
  await website.fill('https://me.example/');
  await form.getByRole('button', { name: 'Save' }).click();
  await expectText(page, 'Saved');
  await expectAccessible(page);
  await page.reload();
  await expect(form.getByLabel('City')).toHaveValue('Otaru');
  await expect(form.getByRole('img', { name: 'Profile picture' })).toHaveAttribute(
    'src',
    /^\/media\//,
  );
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
});

test('a portrait and a cover are accepted; wrong types and sizes are refused beside their field', async ({
  newMember,
}) => {
  const { page, id } = await newMember();
  await page.goto(`/members/${String(id)}/info/`);
  const form = page.getByRole('form', { name: 'Profile' });
  const portrait = form.getByLabel(/^Profile picture/);
  const cover = form.getByLabel(/^Cover picture/);
  const save = form.getByRole('button', { name: 'Save' });
  const refused = async (field: typeof cover, text: string) => {
    await save.click();
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(form.getByRole('alert')).toHaveText([text]);
    await expect(field).toBeFocused();
  };
  await expect(cover).toHaveAccessibleDescription('At least 1,250 × 250 pixels, up to 8 MB');
  const note = { name: 'note.png', mimeType: 'image/png', buffer: Buffer.from('only words') };
  await portrait.setInputFiles(note);
  await refused(portrait, 'This file is not a picture we can read.');
  await portrait.setInputFiles(await drawn(page, 90, 90));
  await refused(portrait, 'The picture is too small or too large.');
  await portrait.setInputFiles({ ...note, buffer: Buffer.alloc(9 * 1024 * 1024) });
  await refused(portrait, 'The picture is too large: up to 8 MB, please.');
  await portrait.setInputFiles(await drawn(page, 400, 300));
  await cover.setInputFiles(await drawn(page, 1249, 400));
  await refused(cover, 'The picture is too small or too large.');

  await cover.setInputFiles(await drawn(page, 1600, 500));
  await save.click();
  await expectText(page, 'Saved');
  await expect(page.getByRole('button', { name: /^Account of / }).locator('img')).toBeVisible();
  await page.reload();
  for (const [name, width, height] of [
    ['Profile picture', 320, 320],
    ['Cover picture', 1250, 250],
  ] as const) {
    const picture = form.getByRole('img', { name });
    await expect(picture).toHaveAttribute('src', /^\/media\//);
    const size = await picture.evaluate((image: HTMLImageElement) =>
      image.decode().then(() => [image.naturalWidth, image.naturalHeight]),
    );
    expect(size[0], name).toBeGreaterThanOrEqual(width);
    expect(size[1], name).toBeGreaterThanOrEqual(height);
  }
  await form.getByRole('button', { name: 'Remove “Cover picture”' }).click();
  await save.click();
  await expectText(page, 'Saved');
  await page.reload();
  await expect(form.getByRole('img', { name: 'Profile picture' })).toBeVisible();
  await expect(form.getByRole('img', { name: 'Cover picture' })).toHaveCount(0);
});
