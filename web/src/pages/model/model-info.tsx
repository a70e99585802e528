import { Link } from 'wouter';
import type { Model } from '@/api/types';
import { unitText, valueText } from '@/shared/filters/value-text';
import { useT } from '@/i18n';
import { useVisitor } from '@/lib/visitor';
import { formatListing } from '@/search/codec';
import type { ModelFilter } from '@/search/listing';
import { section } from '@/lib/title';

const yesNo = (value: string | boolean | null): string | null =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : value;

/** A model's profile, in which each value links to the models that share it. */
export function ModelInfo({ model }: { model: Model }) {
  const t = useT();
  const { lang } = useVisitor();
  const code = (
    name: 'race' | 'country' | 'hair_color' | 'tits_size' | 'tattoo' | 'piercing',
    value: string | null,
  ) => (value ? { name, value, text: valueText(name, value, { t, lang }) } : null);
  const size = (name: 'age' | 'height' | 'weight', value: number | null) =>
    value
      ? {
          name,
          value: `${String(value)}.${String(value)}`,
          text: unitText(name, value, { t, lang }),
        }
      : null;
  const rows: ({ name: ModelFilter; value: string; text: string } | null)[] = [
    size('age', model.age),
    code('country', model.country),
    code('race', model.race),
    code('hair_color', model.hair_color),
    code('tits_size', model.tits_size),
    size('height', model.height),
    size('weight', model.weight),
    code('tattoo', yesNo(model.tattoo)),
    code('piercing', yesNo(model.piercing)),
  ];
  return (
    <div className="page grid gap-10 pt-8 lg:grid-cols-2">
      <section aria-labelledby="facts">
        <h2 id="facts" className={`pb-3 ${section}`}>
          {t('model.info')}
        </h2>
        <dl className="divide-y divide-line">
          {model.aliases.length > 0 && (
            <Row name={t('model.aliases')}>{model.aliases.join(', ')}</Row>
          )}
          {rows.map(
            (row) =>
              row && (
                <Row key={row.name} name={t(`filter.${row.name}`)}>
                  <Link
                    href={formatListing({
                      list: 'models',
                      state: { sort: null, page: 1, filters: { [row.name]: row.value } },
                    })}
                    className="underline-offset-4 hover:text-accent hover:underline"
                  >
                    {row.text}
                  </Link>
                </Row>
              ),
          )}
        </dl>
      </section>
      {model.about && (
        <section aria-labelledby="about">
          <h2 id="about" className={`pb-3 ${section}`}>
            {t('model.about')}
          </h2>
          <p className="max-w-prose whitespace-pre-line text-muted">{model.about}</p>
        </section>
      )}
    </div>
  );
}

function Row({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex justify-between gap-6 py-3 text-sm">
      <dt className="text-muted">{name}</dt>
      <dd className="text-end font-medium">{children}</dd>
    </div>
  );
}
