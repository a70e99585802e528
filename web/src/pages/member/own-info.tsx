/** The profile form with the account settings below it. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { AccountSettings } from './settings/account-settings';
import { meQuery } from '@/shared/account/use-me';
import { memberQuery } from '@/shared/queries/community';
import { useCommunityText } from '@/i18n/community';
import { COUNTRIES } from '@/shared/country/countries';
import { useT } from '@/i18n';
import { countryName, formatNumber } from '@/lib/format';
import type { Path } from '@/api/call';
import { get, post } from '@/api/client';
import { toast } from '@/ui/toast';
import { useVisitor } from '@/lib/visitor';
import { found } from '@/ui/form/checks';
import { Field, Select, Submit, TextArea } from '@/ui/form/field';
import { FormBox, textField, useForm } from '@/ui/form/use-form';
import { LoadError } from '@/ui/problem';
import { refresh } from '@/shared/queries/fresh';
import { PictureField } from './picture-field';
import {
  FORM_FIELDS,
  GENDERS,
  LINES,
  megabytes,
  ORIENTATIONS,
  pictureProblem,
  profileProblems,
  RELATIONSHIPS,
  TEXTS,
  valuesOf,
  type PictureLimits,
  type Profile,
  type TextField,
} from './profile-fields';
import { useMemberText } from '@/i18n/member';

const URL = '/api/member.php' satisfies Path;

export default function OwnInfo() {
  const { data, error, refetch } = useQuery({
    ...get(URL, {}),
    // Refocusing the window must not overwrite input.
    staleTime: Infinity,
    gcTime: 0,
  });
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <div aria-busy="true" className="flex max-w-2xl flex-col gap-4">
        {Array.from({ length: 8 }, (_, row) => (
          <span key={row} className="skeleton h-14 rounded-control" />
        ))}
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-12">
      <ProfileForm
        profile={data.user}
        waiting={data.waiting}
        bornUntil={data.born_until}
        limits={data.limits}
      />
      <AccountSettings />
    </div>
  );
}

type PictureName = 'u_ava' | 'u_cover';

interface FormProps {
  profile: Profile;
  /** Pictures awaiting review. */
  waiting: readonly string[];
  /** The latest date of birth that an adult can have. */
  bornUntil: string;
  limits: PictureLimits;
}

function ProfileForm({ profile, waiting, bornUntil, limits }: FormProps) {
  const t = useT();
  const say = useMemberText();
  const community = useCommunityText();
  const { lang } = useVisitor();
  const client = useQueryClient();
  const values = valuesOf(profile);
  /** The chosen pictures. Null removes the current one. */
  const [files, setFiles] = useState<Partial<Record<PictureName, File | null>>>({});
  const form = useForm({
    fields: FORM_FIELDS,
    check: (data) => ({
      ...profileProblems(data, bornUntil),
      ...found({
        u_cover: pictureProblem(files.u_cover, limits),
        u_ava: pictureProblem(files.u_ava, limits),
      }),
    }),
    send: async (data) => {
      for (const name of Object.keys(values)) data.set(name, textField(data, name));
      for (const [name, file] of Object.entries(files)) {
        if (file) data.set(name, file);
        else data.set(`${name}_rem`, '1');
      }
      await post(URL, data);
      setFiles({});
      void client.invalidateQueries({ queryKey: [URL] });
      void client.invalidateQueries({ queryKey: meQuery.queryKey });
      // The browser caches the old profile for two hours.
      void refresh(client, memberQuery(profile.user_id));
      void toast(say('saved'));
    },
  });
  const picture = (name: PictureName, label: string, kept: string | null, wide = false) => {
    const chosen = files[name];
    const present = chosen === null ? null : kept;
    const pick = (file: File | null) => {
      setFiles({ ...files, [name]: file });
      form.clearError(name);
    };
    return (
      <PictureField
        label={label}
        wide={wide}
        current={present}
        file={chosen ?? undefined}
        error={form.error(name)}
        hint={say('pictureHint', {
          width: formatNumber(wide ? limits.cover_width : limits.avatar_width, lang),
          height: formatNumber(wide ? limits.cover_height : limits.avatar_height, lang),
          max: megabytes(limits.max_bytes),
        })}
        onPick={pick}
        onRemove={(present ?? chosen) ? () => pick(null) : null}
      />
    );
  };
  const hint = (kind: string) =>
    waiting.includes(kind) && <p className="text-sm text-muted">{say('inReview')}</p>;
  const choice = (
    name: TextField,
    label: string,
    options: readonly (readonly [string, string])[],
  ) => (
    <Select
      form={form}
      name={name}
      label={label}
      options={[['', say('notSaid')], ...options]}
      defaultValue={values[name]}
    />
  );
  const countries = COUNTRIES.map((code) => [code, countryName(code, lang)] as const);
  countries.sort(([, a], [, b]) => a.localeCompare(b, lang));
  return (
    <FormBox form={form} label={say('profile')} className="flex max-w-2xl flex-col gap-5">
      {picture('u_cover', say('cover'), profile.cover, true)}
      {hint('cover')}
      {picture('u_ava', say('picture'), profile.avatar)}
      {hint('avatar')}
      <div className="grid gap-5 sm:grid-cols-2">
        {choice(
          'gender',
          community('gender'),
          GENDERS.map((code) => [code, community(`gender_${code}`)] as const),
        )}
        <Field
          form={form}
          name="birth_date"
          label={say('birthDate')}
          hint={say('birthHint')}
          type="date"
          max={bornUntil}
          defaultValue={values.birth_date}
        />
        {choice(
          'relationship',
          community('relationship'),
          RELATIONSHIPS.map((code) => [code, community(`relationship_${code}`)] as const),
        )}
        {choice(
          'orientation',
          community('orientation'),
          ORIENTATIONS.map((code) => [code, community(`orientation_${code}`)] as const),
        )}
        {choice('country', say('country'), countries)}
        {LINES.map((name) => (
          <Field
            key={name}
            form={form}
            name={name}
            label={community(name)}
            type={name === 'website' ? 'url' : 'text'}
            defaultValue={values[name]}
          />
        ))}
      </div>
      {hint('texts')}
      {TEXTS.map((name) => (
        <TextArea
          key={name}
          form={form}
          name={name}
          label={name === 'about' ? t('model.about') : community(name)}
          rows={4}
          defaultValue={values[name]}
        />
      ))}
      <Submit form={form} beside={null}>
        {say('save')}
      </Submit>
    </FormBox>
  );
}
