/** Sets media-chrome's texts in the visitor's language, taken from our own texts. */
import type { PlayerText } from '@/i18n/player';
import { addTranslation } from 'media-chrome/utils/i18n.js';

export function translatePlayer(lang: string, say: PlayerText): void {
  addTranslation(lang, {
    Play: say('play'),
    play: say('play'),
    Pause: say('pause'),
    pause: say('pause'),
    Mute: say('mute'),
    mute: say('mute'),
    Unmute: say('unmute'),
    unmute: say('unmute'),
    volume: say('volume'),
    seek: say('seek'),
    'playback time': say('time'),
    'video player': say('label'),
    'media loading': say('loading'),
    'Enter fullscreen mode': say('fullscreen'),
    'enter fullscreen mode': say('fullscreen'),
    'Exit fullscreen mode': say('exitFullscreen'),
    'exit fullscreen mode': say('exitFullscreen'),
    'Enter picture in picture mode': say('pip'),
    'enter picture in picture mode': say('pip'),
    'Exit picture in picture mode': say('exitPip'),
    'exit picture in picture mode': say('exitPip'),
    // Short units have no plural in any of our languages.
    hour: say('h'),
    hours: say('h'),
    minute: say('min'),
    minutes: say('min'),
    second: say('s'),
    seconds: say('s'),
    '{time} remaining': `−{time}`,
    '{currentTime} of {totalTime}': '{currentTime} / {totalTime}',
    'chapter: {chapterName}': '{chapterName}',
    'video not loaded, unknown time.': say('loading'),
  });
}
