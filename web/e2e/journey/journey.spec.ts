/** Follows one person's whole journey by touch and by mouse, from the first search to deleting the account. */
import { test } from '../fixtures';
import { freshName } from '../members';
import * as german from './german';
import * as guest from './guest';
import * as member from './member';

const DEVICES = {
  'a phone': { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  'a desk': { viewport: { width: 1440, height: 900 } },
};

// Requests for owner-only data get a guest's response, and the profile is gone at the end.
test.use({ expected: [/status of 40[34]/] });

for (const [device, options] of Object.entries(DEVICES)) {
  test.describe(`on ${device}`, () => {
    test.use(options);

    test('a guest signs up, takes part, uploads a video and deletes the account', async ({
      page,
      isMobile,
      data,
      newMember,
    }) => {
      const name = freshName('j');
      const email = `${name}@members.example`;
      const visitor = { page, isPhone: isMobile, name, email };
      const step = test.step.bind(test);

      await step('narrow a search', () => guest.findShortVideos(visitor));
      const title = await step('a video is opened', () => guest.openVideo(visitor));
      await step('play the video', () => guest.playAndPause(visitor));
      await step('share it from the current position', () => guest.shareFromHere(visitor));
      await step('try a members-only action and sign up', () => guest.signUp(visitor));
      const person = await step('the mail is followed', () => guest.followMail(visitor, data));
      await step('find the wanted action done', () => guest.logIn(person, title));

      await step('add two videos to a playlist', () => member.fillPlaylist(person, title));
      await step('play the playlist', () => member.playPlaylist(person));
      const text = `What an evening, number ${name}`;
      const answer = `So it is, and the next one, number ${name}`;
      await step('write a comment', () => member.comment(person, text));
      const other = await newMember();
      await step('another member replies', () => member.reply(person, other, text, answer));
      await step('the bell shows the reply', () => member.readReply(person, other.name, answer));
      await step('save a search', () => member.saveSearch(person));
      await step('see what is new in it', () => member.followNews(person));

      await step('change the language', () => german.changeToGerman(person));
      await step('upload and rename a video', () => german.uploadFilm(person));
      await step('delete the account', () => german.deleteAccount(person));
      await step('find its comment deleted', () => member.findReplyAlone(other, text, answer));
    });
  });
}
