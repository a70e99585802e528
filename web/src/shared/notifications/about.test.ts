import { expect, it } from 'vitest';
import { pathOf, wordOf, type Notification } from './about';

const notification = (more: Partial<Notification>): Notification => ({
  notification_id: 1,
  kind: 'comment',
  section: 'video',
  object_id: 7,
  title: 'Harbour lights',
  dir: 'harbour-lights',
  actor: { user_id: 3, username: 'mika', avatar: null },
  times: 1,
  happened_at: '2026-05-04T12:00:00Z',
  is_read: false,
  ...more,
});

it.each([
  [{}, 'comment', '/videos/7/harbour-lights/#comments'],
  [{ times: 2 }, 'commentMany', '/videos/7/harbour-lights/#comments'],
  [{ section: 'user', dir: null }, 'wall', '/members/7/wall/1/#comments'],
  [{ kind: 'reply', section: 'model' }, 'reply', '/model/harbour-lights/wall/#comments'],
  [{ kind: 'reply', section: 'album' }, 'reply', '/album/7/harbour-lights/#comments'],
  [{ kind: 'reply', section: 'playlist' }, 'reply', '/playlist/7/1/#comments'],
  [{ kind: 'message', section: 'user', times: 3 }, 'messageMany', '/members/2/messages/?with=7'],
  [{ kind: 'friend_request', section: 'user' }, 'friendRequest', '/members/2/friends/1/'],
  [{ kind: 'friend_accepted', section: 'user' }, 'friendAccepted', '/members/7/'],
  [{ kind: 'upload_refused' }, 'refused', '/members/2/'],
  [{ kind: 'upload_failed', section: 'upload', dir: null }, 'failed', '/upload-video/'],
] as const)('%o', (more, word, path) => {
  expect(wordOf(notification(more))).toBe(word);
  expect(pathOf(notification(more), 2)).toBe(path);
});
