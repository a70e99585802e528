/** The profile's form, and below it the account's settings. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { AccountSettings } from './settings/account-settings';
import { meQuery } from '@/shared/account/use-me';
import { control, Field } from '@/shared/actions/field';
import { useForm } from '@/shared/actions/use-form';
import { memberQuery } from '@/shared/queries/community';
import { useSay } from '@/i18n/community';
import { COUNTRIES } from '@/shared/country/countries';
import { useT } from '@/i18n';
import { countryName } from '@/lib/format';
import { get, post } from '@/api/client';
import { toast } from '@/ui/toast';
import { useVisitor } from '@/lib/visitor';
import { button } from '@/ui/button';
import { LoadError } from '@/ui/problem';
import { refresh } from '@/shared/queries/fresh';
import { PictureField } from './picture-field';
import {
  adultSince,
  FORM_FIELDS,
  GENDERS,
  LINES,
  ORIENTATIONS,
  RELATIONSHIPS,
  TEXTS,
  valuesOf,
  type Profile,
  type TextField,
} from './profile-fields';
import { useAreaSay } from '@/i18n/member';

const URL = '/api/member.php';

export default function OwnInfo() {
  const { data, error, refetch } = useQuery({
    ...get('/api/member.php', {}),
    // Coming back to the window must not undo what is being typed.
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
      <ProfileForm profile={data.user} />
      <AccountSettings />
    </div>
  );
}

type PictureName = 'u_ava' | 'u_cover';

function ProfileForm({ profile }: { profile: Profile }) {
  const t = useT();
  const say = useAreaSay();
  const community = useSay();
  const { lang } = useVisitor();
  const client = useQueryClient();
  const [values, setValues] = useState(() => valuesOf(profile));
  /** Chosen pictures; null takes the present one away. */
  const [files, setFiles] = useState<Partial<Record<PictureName, File | null>>>({});
  const { busy, errorOf, problem, submit } = useForm(FORM_FIELDS);
  const save = async (event: SyntheticEvent) => {
    event.preventDefault();
    const form = new FormData();
    for (const [name, value] of Object.entries(values)) form.set(name, value.trim());
    for (const [name, file] of Object.entries(files)) {
      if (file) form.set(name, file);
      else form.set(`${name}_rem`, '1');
    }
    if (!(await submit(() => post(URL, form)))) return;
    setFiles({});
    void client.invalidateQueries({ queryKey: [URL] });
    void client.invalidateQueries({ queryKey: meQuery.queryKey });
    // The browser keeps the old one for two hours.
    void refresh(client, memberQuery(profile.user_id));
    await toast(say('saved'));
  };
  const picture = (name: PictureName, label: string, kept: string | null, wide = false) => {
    const chosen = files[name];
    const present = chosen === null ? null : kept;
    const pick = (file: File | null) => {
      setFiles({ ...files, [name]: file });
    };
    return (
      <PictureField
        label={label}
        wide={wide}
        current={present}
        file={chosen ?? undefined}
        error={errorOf(name)}
        onPick={pick}
        onRemove={
          (present ?? chosen)
            ? () => {
                pick(null);
              }
            : null
        }
      />
    );
  };
  const input = (name: TextField, label: string, type = 'text', hint?: string) => (
    <Field key={name} label={label} hint={hint} error={errorOf(name)}>
      {(named) => (
        <input
          {...named}
          type={type}
          name={name}
          {...(type === 'date' && { max: adultSince(new Date()) })}
          value={values[name]}
          onChange={(event) => {
            setValues({ ...values, [name]: event.target.value });
          }}
          className={`${control} h-10`}
        />
      )}
    </Field>
  );
  const choice = (name: TextField, label: string, options: [string, string][]) => (
    <Field key={name} label={label} error={errorOf(name)}>
      {(named) => (
        <select
          {...named}
          name={name}
          value={values[name]}
          onChange={(event) => {
            setValues({ ...values, [name]: event.target.value });
          }}
          className={`${control} h-10`}
        >
          <option value="">{say('notSaid')}</option>
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
  const countries = COUNTRIES.map((code) => [code, countryName(code, lang)] as [string, string]);
  countries.sort(([, a], [, b]) => a.localeCompare(b, lang));
  return (
    <form
      noValidate
      aria-label={say('profile')}
      className="flex max-w-2xl flex-col gap-5"
      onSubmit={(event) => void save(event)}
    >
      {picture('u_cover', say('cover'), profile.cover, true)}
      {picture('u_ava', say('picture'), profile.avatar)}
      <div className="grid gap-5 sm:grid-cols-2">
        {choice(
          'gender',
          community('gender'),
          GENDERS.map((code) => [code, community(`gender_${code}`)]),
        )}
        {input('birth_date', say('birthDate'), 'date', say('birthHint'))}
        {choice(
          'relationship',
          community('relationship'),
          RELATIONSHIPS.map((code) => [code, community(`relationship_${code}`)]),
        )}
        {choice(
          'orientation',
          community('orientation'),
          ORIENTATIONS.map((code) => [code, community(`orientation_${code}`)]),
        )}
        {choice('country', say('country'), countries)}
        {LINES.map((name) => input(name, community(name), name === 'website' ? 'url' : 'text'))}
      </div>
      {TEXTS.map((name) => (
        <Field
          key={name}
          label={name === 'about' ? t('model.about') : community(name)}
          error={errorOf(name)}
        >
          {(named) => (
            <textarea
              {...named}
              name={name}
              rows={4}
              value={values[name]}
              onChange={(event) => {
                setValues({ ...values, [name]: event.target.value });
              }}
              className={`${control} py-2`}
            />
          )}
        </Field>
      ))}
      {problem && (
        <p role="alert" className="text-sm text-danger">
          {problem}
        </p>
      )}
      <div className="flex justify-end">
        <button type="submit" disabled={busy} className={button.primary}>
          {say('save')}
        </button>
      </div>
    </form>
  );
}
