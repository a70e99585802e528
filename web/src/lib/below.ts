/** What an operator says below the list that is shown: it comes with the page, and after that with each head. */
import { sent } from './sent';
import { createStore } from './store';

export interface Block {
  heading: boolean;
  text: string;
}

export const below = createStore<readonly Block[]>(sent().text ?? []);
