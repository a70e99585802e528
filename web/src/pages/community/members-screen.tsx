import { useQuery } from '@tanstack/react-query';
import { navigate } from 'wouter/use-browser-location';
import { ModelGridSkeleton } from '@/shared/cards/model-card';
import type { ChipItem } from '@/shared/filters/chips';
import { CodeChoice } from '@/shared/filters/code-choice';
import { ListFrame } from '@/shared/lists/frame';
import { Pagination } from '@/shared/lists/pagination';
import { spreadOf } from '@/search/response';
import { RangeFilter } from '@/shared/filters/range-filter';
import { useT } from '@/i18n';
import { countryName } from '@/lib/format';
import { heading, usePageTitle } from '@/lib/title';
import { useVisitor } from '@/lib/visitor';
import { Button } from '@/ui/button';
import { LoadError, Panel } from '@/ui/problem';
import { MEMBER_FILTERS } from '../../../generated/vocabulary';
import {
  writeFilters,
  type MemberFilter,
  type MemberFilters,
} from '@/shared/address/member-filters';
import { SortMenu } from '@/shared/lists/sort-menu';
import { memberQuery, membersQuery, type MembersAnswer } from '@/shared/queries/community';
import { MEMBER_SORTS, type MemberSort } from '@/shared/address/community-lists';
import { useCommunityText } from '@/i18n/community';
import { memberTile, Tiles } from '@/shared/cards/tiles';

interface Props {
  sort: MemberSort;
  number: number;
  filters: MemberFilters;
}

const SKELETONS = 24;
const CODES = ['gender', 'orientation', 'relationship', 'avatar', 'country'] as const;
type Code = (typeof CODES)[number];

const pathOf = (sort: MemberSort, page: number, filters: MemberFilters) =>
  `/community/${sort}/${String(page)}/${writeFilters(filters)}`;

export function MembersScreen({ sort, number, filters }: Props) {
  const t = useT();
  const say = useCommunityText();
  const { lang } = useVisitor();
  const { data, error, isPending, refetch } = useQuery(membersQuery(sort, filters, number, lang));
  const { data: friend } = useQuery({
    ...memberQuery(Number(filters.object_id)),
    enabled: filters.object_id !== undefined,
  });
  // Unlike `useListName`, the title omits the visitor's orientation, because the list doesn't depend on it.
  const name = t('nav.community');
  const title = sort === 'recent' ? name : `${name} – ${t(`sort.${sort}`)}`;
  usePageTitle(title, number);
  const set = (name: MemberFilter, value: string | null) =>
    navigate(pathOf(sort, 1, { ...filters, [name]: value ?? '' }));
  const clear = () => navigate(pathOf(sort, 1, {}));
  const names = useFilterNames();
  const label = (name: Code, value: string): string =>
    data?.facets[name]?.find((item) => item.value === value)?.label ??
    (name === 'country' ? countryName(value, lang) : value);
  const chips: ChipItem[] = MEMBER_FILTERS.flatMap((name) => {
    const value = filters[name];
    if (!value) return [];
    const text =
      name === 'age'
        ? value.replace('.', '–')
        : name === 'object_id'
          ? (friend?.member.username ?? value)
          : label(name, value);
    return [
      {
        key: name,
        label: `${names[name]}: ${text}`,
        remove: () => set(name, null),
      },
    ];
  });
  return (
    <ListFrame
      heading={<h1 className={heading}>{title}</h1>}
      summary={data && !error ? say('members', { count: data.total_count }) : null}
      sort={
        <SortMenu
          links={MEMBER_SORTS.map((other) => [
            pathOf(other, 1, filters),
            other === 'recent' ? say('recent') : t(`sort.${other}`),
            other === sort,
          ])}
        />
      }
      filters={data && <Filters {...{ filters, answer: data, names, label, set }} />}
      chips={chips}
      onClear={clear}
      show={t('filter.show', { count: data?.total_count ?? 0 })}
      busy={isPending}
    >
      {error && !data ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <ModelGridSkeleton count={SKELETONS} />
      ) : (
        <>
          {data.members.length === 0 ? (
            <Panel title={say('noMembers')}>
              {chips.length > 0 && (
                <Button look="primary" onClick={clear}>
                  {t('filter.clear')}
                </Button>
              )}
            </Panel>
          ) : (
            <Tiles tiles={data.members.map((member) => memberTile(member, lang))} />
          )}
          <Pagination
            page={number}
            pages={data.pages}
            href={(page) => pathOf(sort, page, filters)}
          />
        </>
      )}
    </ListFrame>
  );
}

function useFilterNames(): Record<MemberFilter, string> {
  const t = useT();
  const say = useCommunityText();
  return {
    country: t('filter.country'),
    gender: say('gender'),
    age: t('filter.age'),
    relationship: say('relationship'),
    avatar: say('pictured'),
    orientation: say('orientation'),
    object_id: say('friends'),
  };
}

interface FiltersProps {
  filters: MemberFilters;
  answer: MembersAnswer;
  names: Record<MemberFilter, string>;
  label: (name: Code, value: string) => string;
  set: (name: MemberFilter, value: string | null) => void;
}

function Filters({ filters, answer, names, label, set }: FiltersProps) {
  const ages = answer.stats.age;
  return (
    <div className="flex flex-col gap-5">
      {ages && (
        <RangeFilter
          name="age"
          bounds={ages}
          spread={spreadOf(answer.facets.age ?? [])}
          value={filters.age}
          onChange={(value) => set('age', value)}
        />
      )}
      {CODES.map((name) => (
        <CodeChoice
          key={name}
          title={names[name]}
          items={answer.facets[name] ?? []}
          chosen={filters[name]}
          text={(value) => label(name, value)}
          onChange={(value) => set(name, value)}
        />
      ))}
    </div>
  );
}
