/** One person's whole way through the site, by finger and by mouse: from a first search to the end of the account. */
import { test } from '../fixtures';
import { freshName } from '../members';
import * as german from './german';
import * as guest from './guest';
import * as member from './member';

const DEVICES = {
  'a phone': { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  'a desk': { viewport: { width: 1440, height: 900 } },
};

// What only its owner sees is answered to the page as to a guest, and the profile is gone at the end.
test.use({ expected: [/status of 40[34]/] });

for (const [device, options] of Object.entries(DEVICES)) {
  test.describe(`at ${device}`, () => {
    test.use(options);

    test('a guest becomes a member, stays, talks, sends a film and leaves', async ({
      page,
      isMobile,
      data,
      newMember,
    }) => {
      const name = freshName('j');
      const email = `${name}@members.example`;
      const visitor = { page, isPhone: isMobile, name, email };
      const step = test.step.bind(test);

      await step('a search is narrowed', () => guest.findShortVideos(visitor));
      const title = await step('a video is opened', () => guest.openVideo(visitor));
      await step('it plays', () => guest.playAndPause(visitor));
      await step('it is shared from here', () => guest.shareFromHere(visitor));
      await step('who wants more signs up', () => guest.signUp(visitor));
      const person = await step('the mail is followed', () => guest.followMail(visitor, data));
      await step('what was wanted is done', () => guest.logIn(person, title));

      await step('a playlist gets two videos', () => member.fillPlaylist(person, title));
      await step('it is played', () => member.playPlaylist(person));
      const text = `What an evening, number ${name}`;
      const answer = `So it is, and the next one, number ${name}`;
      await step('a comment is written', () => member.comment(person, text));
      const other = await newMember();
      await step('another member replies', () => member.reply(person, other, text, answer));
      await step('the bell tells of it', () => member.readReply(person, other.name, answer));
      await step('a search is saved', () => member.saveSearch(person));
      await step('it says what is new', () => member.followNews(person));

      await step('the language is changed', () => german.changeToGerman(person));
      await step('a film is sent and renamed', () => german.uploadFilm(person));
      await step('the account ends', () => german.deleteAccount(person));
      await step('and what it wrote', () => member.findReplyAlone(other, text, answer));
    });
  });
}
