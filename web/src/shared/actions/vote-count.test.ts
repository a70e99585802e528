import { describe, expect, it } from 'vitest';
import { atLeast, recounted } from './vote-count';

describe('votes', () => {
  it('are counted, switched and undone at once', () => {
    expect(recounted({ likes: 4, dislikes: 1 }, 0, 1)).toEqual({ likes: 5, dislikes: 1 });
    expect(recounted({ likes: 5, dislikes: 1 }, 1, -1)).toEqual({ likes: 4, dislikes: 2 });
    expect(recounted({ likes: 4, dislikes: 2 }, -1, 0)).toEqual({ likes: 4, dislikes: 1 });
  });
  it('already given are included in an outdated count', () => {
    expect(atLeast({ likes: 0, dislikes: 0 }, 1)).toEqual({ likes: 1, dislikes: 0 });
    expect(atLeast({ likes: 7, dislikes: 0 }, 1)).toEqual({ likes: 7, dislikes: 0 });
    expect(atLeast({ likes: 0, dislikes: 0 }, 0)).toEqual({ likes: 0, dislikes: 0 });
  });
});
