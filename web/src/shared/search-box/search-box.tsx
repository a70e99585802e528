import { useEffect, useId, useRef, useState, type KeyboardEvent, type SyntheticEvent } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { paths } from '@/shared/address/paths';
import { useT } from '@/i18n';
import { deferred } from '@/lib/deferred';
import { useAddress } from '@/lib/use-address';
import { limits } from '@/lib/limits';
import { isQuery } from '@/search/listing';
import { Icon } from '@/ui/icons';
import type { Option } from './options';
import { forgetSearch, forgetSearches, rememberSearch } from './recent';
import { typedBefore } from './typed-before';
import { useSlashKey } from './use-slash-key';
import { useSuggestions } from './use-suggestions';

/** The list is loaded on first use, which has to request suggestions anyway. */
const SuggestionList = deferred(() => import('./suggestion-list'));

/** Returns the query in the address, so that the box always matches the page. */
function useAddressQuery(): string {
  const { pathname, search } = useAddress();
  return pathname.startsWith('/search/') ? (new URLSearchParams(search).get('s') ?? '') : '';
}

export function SearchBox() {
  const t = useT();
  const listId = useId();
  const shown = useAddressQuery();
  const input = useRef<HTMLInputElement>(null);
  const [before] = useState(typedBefore);
  const [text, setText] = useState(before?.text ?? shown);
  useEffect(() => {
    if (before?.hasFocus) input.current?.focus();
  }, [before]);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [typedText, setTypedText] = useState(text);
  useSlashKey(input);
  const [seen, setSeen] = useState(shown);
  if (seen !== shown) {
    setSeen(shown);
    setText(shown);
    setTypedText(shown);
  }

  // Text that is being composed in an input method is incomplete, so there are no requests until it is finished.
  const groups = useSuggestions(typedText, open);
  const options = groups.flatMap((group) => group.options);
  const close = () => {
    setOpen(false);
    setActive(-1);
  };
  const go = (href: string, query: string | null) => {
    if (query) rememberSearch(query);
    close();
    input.current?.blur();
    navigate(href);
  };
  const choose = ({ href, query }: Option) => go(href, query);
  const forget = (text: string | null) => {
    if (text === null) forgetSearches();
    else forgetSearch(text);
    setActive(-1);
    // The focused button is gone.
    input.current?.focus();
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const query = text.trim();
    if (isQuery(query)) go(paths.search(query), query);
    else input.current?.focus();
  };
  const keyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return; // these keys belong to the input method
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && !open) {
      event.preventDefault();
      setOpen(true);
    } else if (step && options.length > 0) {
      event.preventDefault();
      // The position after the last option is the typed text itself.
      const places = options.length + 1;
      setActive((old) => ((old + 1 + step + places) % places) - 1);
    } else if (event.key === 'Enter' && open && options[active]) {
      event.preventDefault();
      choose(options[active]);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (open) close();
      else setText('');
    }
  };
  const expanded = open && options.length > 0;
  return (
    // The list closes when the focus leaves the form.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      role="search"
      action="/search/1/"
      onSubmit={submit}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close();
      }}
      className="relative w-full lg:max-w-xl"
    >
      <span className="pointer-events-none absolute inset-y-0 start-3 grid place-items-center text-muted">
        <Icon name="search" size={18} />
      </span>
      <input
        ref={input}
        name="s"
        type="search"
        role="combobox"
        aria-label={t('search.label')}
        aria-autocomplete="list"
        aria-expanded={expanded}
        aria-controls={listId}
        aria-activedescendant={expanded && active >= 0 ? `${listId}-${String(active)}` : undefined}
        placeholder={t('search.placeholder')}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={limits().search.max}
        value={text}
        onChange={(event) => {
          const { value } = event.target;
          setText(value);
          setActive(-1);
          setOpen(true);
          if (!(event.nativeEvent as InputEvent).isComposing) setTypedText(value);
        }}
        onCompositionEnd={(event) => setTypedText(event.currentTarget.value)}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onKeyDown={keyDown}
        className="h-10 w-full appearance-none rounded-full border border-line bg-surface ps-10 pe-4 text-sm text-ellipsis text-ink placeholder:text-muted min-[100rem]:pe-10 focus:border-accent focus:outline-none [&::-webkit-search-cancel-button]:hidden"
      />
      <kbd className="pointer-events-none absolute inset-y-0 end-3 my-auto hidden h-5 items-center rounded border border-line px-1.5 font-sans text-xs text-muted min-[100rem]:flex">
        /
      </kbd>
      {open && (
        <SuggestionList
          id={listId}
          groups={expanded ? groups : []}
          active={active}
          onChoose={choose}
          onForget={forget}
        />
      )}
    </form>
  );
}
