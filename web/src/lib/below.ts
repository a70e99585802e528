/** The operator's text below the current list. It is sent with the page, and later with each new head. */
import { sent } from './sent';
import { createStore } from './store';

export interface Block {
  heading: boolean;
  text: string;
}

export const below = createStore<readonly Block[]>(sent().text ?? []);
