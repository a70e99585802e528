import { describe, expect, it } from 'vitest';
import { atLeast, counted } from './vote-count';

describe('votes', () => {
  it('are counted at once', () => {
    expect(counted({ likes: 4, dislikes: 1 }, 1)).toEqual({ likes: 5, dislikes: 1 });
    expect(counted({ likes: 4, dislikes: 1 }, -1)).toEqual({ likes: 4, dislikes: 2 });
  });
  it('that were given are in an old number', () => {
    expect(atLeast({ likes: 0, dislikes: 0 }, 1)).toEqual({ likes: 1, dislikes: 0 });
    expect(atLeast({ likes: 7, dislikes: 0 }, 1)).toEqual({ likes: 7, dislikes: 0 });
    expect(atLeast({ likes: 0, dislikes: 0 }, 0)).toEqual({ likes: 0, dislikes: 0 });
  });
});
