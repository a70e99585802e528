/** A person using the site, by touch on a phone or by mouse on a desktop. */
import { expect, type Locator, type Page } from '@playwright/test';

export interface Person {
  page: Page;
  isPhone: boolean;
  name: string;
  email: string;
}

/** Taps or clicks an element. */
export const press = ({ isPhone }: Person, what: Locator): Promise<void> =>
  isPhone ? what.tap() : what.click();

/** Types into the search box in the header. */
export async function search(person: Person, text: string): Promise<void> {
  const { page } = person;
  const box = page.getByRole('combobox', { name: 'Search' });
  await press(person, box);
  await box.fill(text);
  await box.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/search/1/\\?s=${text}$`));
}

/** Follows an entry in one of the header's menus. */
export async function follow(person: Person, menu: string, entry: string): Promise<void> {
  const header = person.page.getByRole('banner');
  await press(person, header.getByRole('button', { name: menu, exact: true }));
  await press(person, header.getByRole('link', { name: entry, exact: true }));
}
