/** The visitor's preferences in the header and in the menu: language, orientation and theme. */
import { useState } from 'react';
import { useT } from '@/i18n';
import { GENDERS, LANGS, OWN_NAMES } from '@/lib/audience';
import { cn } from '@/lib/cn';
import { chooseTheme, currentTheme } from '@/lib/theme';
import { useVisitor } from '@/lib/visitor';
import { Button } from '@/ui/button';
import { Disclosure, panelItem } from '@/ui/disclosure';
import { Icon } from '@/ui/icons';

export function LanguageList({ onChosen }: { onChosen?: () => void }) {
  const t = useT();
  const { wanted, setLang } = useVisitor();
  return (
    <ul aria-label={t('header.language')} className="grid grid-cols-2 gap-1">
      {LANGS.map((code) => (
        <li key={code}>
          <button
            type="button"
            lang={code}
            aria-current={code === wanted}
            className={panelItem(code === wanted)}
            onClick={() => {
              setLang(code);
              onChosen?.();
            }}
          >
            {OWN_NAMES[code]}
            {code === wanted && <Icon name="check" size={16} />}
          </button>
        </li>
      ))}
    </ul>
  );
}

export function LanguageMenu() {
  const t = useT();
  const { wanted } = useVisitor();
  return (
    <Disclosure
      align="end"
      // In narrow windows, a member's corner leaves no room for the arrow.
      className="max-md:[&>span:last-child]:hidden"
      panelClassName="w-80 max-w-[90vw]"
      label={
        <>
          <Icon name="globe" />
          <span className="sr-only">{`${t('header.language')}: ${OWN_NAMES[wanted]}`}</span>
          <span aria-hidden="true" className="uppercase max-[27rem]:hidden">
            {wanted}
          </span>
        </>
      }
    >
      {(close) => <LanguageList onChosen={close} />}
    </Disclosure>
  );
}

/** The compact version, which is for narrow headers. */
export function GenderMenu() {
  const t = useT();
  const { gender, setGender } = useVisitor();
  return (
    <Disclosure
      align="end"
      name={`${t('header.orientation')}: ${t(`gender.${gender}`)}`}
      label={t(`gender.${gender}`)}
    >
      {(close) => (
        <ul aria-label={t('header.orientation')}>
          {GENDERS.map((code) => (
            <li key={code}>
              <button
                type="button"
                aria-current={code === gender}
                className={panelItem(code === gender)}
                onClick={() => {
                  setGender(code);
                  close();
                }}
              >
                {t(`gender.${code}`)}
                {code === gender && <Icon name="check" size={16} />}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Disclosure>
  );
}

export function GenderSwitch({ name }: { name: string }) {
  const t = useT();
  const { gender, setGender } = useVisitor();
  return (
    <fieldset className="flex rounded-control bg-raised p-1">
      <legend className="sr-only">{t('header.orientation')}</legend>
      {GENDERS.map((code) => (
        <label
          key={code}
          className={cn(
            'grid h-8 flex-1 place-items-center rounded-md px-2.5 text-xs font-semibold whitespace-nowrap transition-colors has-focus-visible:outline-2 has-focus-visible:outline-accent',
            code === gender ? 'bg-hover text-ink' : 'text-muted hover:text-ink',
          )}
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={code === gender}
            onChange={() => setGender(code)}
          />
          {t(`gender.${code}`)}
        </label>
      ))}
    </fieldset>
  );
}

export function ThemeToggle() {
  const t = useT();
  const [theme, setTheme] = useState(currentTheme);
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <Button
      look="icon"
      aria-label={t(`theme.${other}`)}
      title={t(`theme.${other}`)}
      onClick={() => {
        chooseTheme(other);
        setTheme(other);
      }}
    >
      <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
    </Button>
  );
}
