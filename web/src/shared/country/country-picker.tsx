import { useT } from '@/i18n';
import { deferred } from '@/lib/deferred';
import { countryName } from '@/lib/format';
import { useVisitor } from '@/lib/visitor';
import { Disclosure } from '@/ui/disclosure';

/** The list of all countries, which is loaded on demand. */
const CountryList = deferred(() => import('./country-list'));

interface Props {
  /** The country, ISO 3166-1 alpha-2. */
  country: string;
  onChoose: (country: string) => void;
}

export function CountryPicker({ country, onChoose }: Props) {
  const t = useT();
  const { lang } = useVisitor();
  const name = countryName(country, lang);
  return (
    <Disclosure
      label={<span className="text-accent">{name}</span>}
      name={`${t('home.country')}: ${name}`}
      className="bg-accent-soft"
      panelClassName="w-72 max-w-[calc(100vw-32px)]"
    >
      {(close) => (
        <CountryList
          current={country}
          onChoose={(code) => {
            close();
            onChoose(code);
          }}
        />
      )}
    </Disclosure>
  );
}
