/** Gives media-chrome its words in the visitor's language, from our own texts. */
import type { TFunction } from 'i18next';
import { addTranslation } from 'media-chrome/utils/i18n.js';

export function translatePlayer(lang: string, t: TFunction): void {
  addTranslation(lang, {
    Play: t('player.play'),
    play: t('player.play'),
    Pause: t('player.pause'),
    pause: t('player.pause'),
    Mute: t('player.mute'),
    mute: t('player.mute'),
    Unmute: t('player.unmute'),
    unmute: t('player.unmute'),
    volume: t('player.volume'),
    seek: t('player.seek'),
    'playback time': t('player.time'),
    'video player': t('player.label'),
    'media loading': t('player.loading'),
    'Enter fullscreen mode': t('player.fullscreen'),
    'enter fullscreen mode': t('player.fullscreen'),
    'Exit fullscreen mode': t('player.exitFullscreen'),
    'exit fullscreen mode': t('player.exitFullscreen'),
    'Enter picture in picture mode': t('player.pip'),
    'enter picture in picture mode': t('player.pip'),
    'Exit picture in picture mode': t('player.exitPip'),
    'exit picture in picture mode': t('player.exitPip'),
    // Short units are the same for one and many in all our languages.
    hour: t('player.h'),
    hours: t('player.h'),
    minute: t('player.min'),
    minutes: t('player.min'),
    second: t('player.s'),
    seconds: t('player.s'),
    '{time} remaining': `−{time}`,
    '{currentTime} of {totalTime}': '{currentTime} / {totalTime}',
    'video not loaded, unknown time.': t('player.loading'),
  });
}
