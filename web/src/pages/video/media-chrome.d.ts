/** Declares the media-chrome elements that we use for JSX. */
import type { HTMLAttributes, Ref } from 'react';

interface MediaElement extends HTMLAttributes<HTMLElement> {
  ref?: Ref<HTMLElement>;
  class?: string;
  slot?: string;
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'media-controller': MediaElement & { nohotkeys?: boolean; autohide?: string };
      'media-control-bar': MediaElement;
      'media-play-button': MediaElement;
      'media-mute-button': MediaElement;
      'media-volume-range': MediaElement;
      'media-time-range': MediaElement;
      'media-time-display': MediaElement & { showduration?: boolean; notoggle?: boolean };
      'media-pip-button': MediaElement;
      'media-fullscreen-button': MediaElement;
      'media-loading-indicator': MediaElement;
    }
  }
}
