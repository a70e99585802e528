import { GENDERS, ORIENTATIONS, RELATIONSHIPS } from './profile-fields';
import { useT } from '@/i18n';
import { fullDate } from '@/lib/format';
import { isOneOf } from '@/lib/one-of';
import { useVisitor } from '@/lib/visitor';
import type { Member } from '@/shared/queries/community';
import { useCommunityText } from '@/i18n/community';

/** Accepts only web addresses, because a member may have entered anything. */
const isWeb = (text: string): boolean => /^https?:\/\//i.test(text);

export function Profile({ member }: { member: Member }) {
  const t = useT();
  const say = useCommunityText();
  const { lang } = useVisitor();
  const rows: [string, string | null][] = [
    [say('joined'), fullDate(member.added_date, lang)],
    [say('gender'), isOneOf(GENDERS, member.gender) ? say(`gender_${member.gender}`) : null],
    [
      say('relationship'),
      isOneOf(RELATIONSHIPS, member.relationship)
        ? say(`relationship_${member.relationship}`)
        : null,
    ],
    [
      say('orientation'),
      isOneOf(ORIENTATIONS, member.orientation) ? say(`orientation_${member.orientation}`) : null,
    ],
    [say('city'), member.city],
    [say('education'), member.education],
    [say('occupation'), member.occupation],
    [say('interests'), member.interests],
    [t('model.about'), member.about],
    [say('website'), member.website],
  ];
  return (
    <dl className="max-w-prose divide-y divide-line">
      {rows.map(
        ([name, value]) =>
          value && (
            <div key={name} className="flex gap-6 py-3 text-sm">
              <dt className="w-40 shrink-0 text-muted">{name}</dt>
              <dd className="min-w-0 break-words whitespace-pre-line">
                {value === member.website && isWeb(value) ? (
                  <a
                    href={value}
                    rel="nofollow ugc noopener noreferrer"
                    target="_blank"
                    className="underline-offset-4 hover:text-accent hover:underline"
                  >
                    {value}
                  </a>
                ) : (
                  value
                )}
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}
