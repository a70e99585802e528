import { useEffect, useRef, useState } from 'react';
import { useT } from '@/i18n';
import { countryName } from '@/lib/format';
import { useVisitor } from '@/lib/visitor';
import { panelItem } from '@/ui/disclosure';
import { Icon } from '@/ui/icons';
import { COUNTRIES } from './countries';

interface Props {
  /** The current country, ISO 3166-1 alpha-2. */
  current: string;
  onChoose: (country: string) => void;
}

export default function CountryList({ current, onChoose }: Props) {
  const t = useT();
  const { lang } = useVisitor();
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    field.current?.focus({ preventScroll: true });
    list.current?.querySelector('[aria-current=true]')?.scrollIntoView({ block: 'center' });
  }, []);
  const wanted = text.trim().toLocaleLowerCase(lang);
  const rows = COUNTRIES.map((code) => ({ code, name: countryName(code, lang) }))
    .filter(({ name }) => name.toLocaleLowerCase(lang).includes(wanted))
    .sort((a, b) => a.name.localeCompare(b.name, lang));
  return (
    <>
      <input
        ref={field}
        type="search"
        value={text}
        aria-label={t('home.findCountry')}
        placeholder={t('home.findCountry')}
        onChange={(event) => setText(event.target.value)}
        className="mb-2 h-10 w-full rounded-control border border-line bg-bg px-3 text-sm placeholder:text-muted focus:border-accent focus:outline-none"
      />
      <ul ref={list} className="max-h-72 overflow-y-auto">
        {rows.map(({ code, name }) => (
          <li key={code}>
            <button
              type="button"
              aria-current={code === current}
              className={panelItem(code === current)}
              onClick={() => onChoose(code)}
            >
              {name}
              {code === current && <Icon name="check" size={16} />}
            </button>
          </li>
        ))}
      </ul>
      {rows.length === 0 && <p className="p-3 text-sm text-muted">{t('home.noCountry')}</p>}
    </>
  );
}
