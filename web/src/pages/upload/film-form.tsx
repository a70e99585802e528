/** What a film is called and what is in it. */
import { useState } from 'react';
import { useT } from '@/i18n';
import { useUploadText } from '@/i18n/upload';
import { GENDERS, LANGS } from '@/lib/audience';
import { ownName } from '@/lib/format';
import { oneOf } from '@/lib/one-of';
import { useVisitor } from '@/lib/visitor';
import { waitText } from '@/i18n/errors';
import { Field, Select, Submit, TextArea, Tick } from '@/ui/form/field';
import { FormBox, useForm } from '@/ui/form/use-form';
import type { Limits } from './file-checks';
import { FIELDS, filmProblems, readFields, VISIBLE, type FilmFields } from './film-fields';
import { PickField } from './pick-field';
import { useCategories, useModels } from './pick-queries';

interface Props {
  /** Whose form it is, for who hears it. */
  name: string;
  /** What it begins with. */
  first: FilmFields;
  limits: Limits;
  /** What was typed so far. */
  onKeep?: (fields: FilmFields) => void;
  /** Asked of files only; what is a video is long enough. */
  onExclusive?: (isExclusive: boolean) => void;
  send: (fields: FilmFields) => Promise<unknown>;
  /** Said while it is on its way, where that may take long. */
  meanwhile?: string | undefined;
}

export function FilmForm(props: Props) {
  const { name, first, limits, onKeep, onExclusive, send, meanwhile } = props;
  const t = useT();
  const say = useUploadText();
  const { lang } = useVisitor();
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [picked, setPicked] = useState({ categories: first.categories, models: first.models });
  const [orientation, setOrientation] = useState(first.orientation);
  const [texts, setTexts] = useState({ categories: '', models: '' });
  const categories = useCategories(texts.categories, orientation);
  const models = useModels(texts.models);
  const form = useForm({
    fields: FIELDS,
    check: (data) => filmProblems(readFields(data, picked, first.lang), limits),
    send: (data) => send(readFields(data, picked, first.lang)),
  });
  const keep = (now = picked) => {
    const box = element?.querySelector('form');
    if (box) onKeep?.(readFields(new FormData(box), now, first.lang));
  };
  const pick = (field: 'categories' | 'models') => ({
    form,
    name: field,
    chosen: picked[field],
    text: texts[field],
    onType: (text: string) => {
      setTexts((old) => ({ ...old, [field]: text }));
    },
    onChange: (chosen: FilmFields['models']) => {
      const next = { ...picked, [field]: chosen };
      setPicked(next);
      keep(next);
    },
  });
  return (
    <div ref={setElement}>
      <FormBox
        form={form}
        label={say('formOf', { name })}
        onBegin={() => {
          keep();
        }}
      >
        <Field form={form} name="title" label={say('filmTitle')} defaultValue={first.title} />
        <TextArea
          form={form}
          name="description"
          label={say('description')}
          rows={3}
          defaultValue={first.description}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <Select
            form={form}
            name="orientation"
            label={t('header.orientation')}
            options={GENDERS.map((code) => [code, t(`gender.${code}`)] as const)}
            defaultValue={first.orientation}
            onChange={({ target }) => {
              setOrientation(oneOf(GENDERS, target.value, orientation));
            }}
          />
          <Select
            form={form}
            name="lang"
            label={say('lang')}
            options={LANGS.map((code) => [code, ownName(code)] as const)}
            defaultValue={first.lang}
          />
        </div>
        <PickField
          {...pick('categories')}
          label={t('filter.categories')}
          placeholder={t('filter.findCategory')}
          most={limits.max_categories}
          options={categories}
        />
        <PickField
          {...pick('models')}
          label={t('nav.models')}
          placeholder={say('findModel')}
          most={limits.max_models}
          options={models}
        />
        <Select
          form={form}
          name="visible"
          label={say('visibility')}
          options={[
            [String(VISIBLE.public), say('public')],
            [String(VISIBLE.private), say('private')],
          ]}
          defaultValue={String(first.isPrivate ? VISIBLE.private : VISIBLE.public)}
        />
        {onExclusive && (
          <Tick
            form={form}
            name="exclusive"
            label={say('exclusive')}
            hint={say('exclusiveHint', {
              exclusive: waitText(limits.exclusive_seconds, lang),
              other: waitText(limits.other_seconds, lang),
            })}
            defaultChecked={first.isExclusive}
            onChange={({ target }) => {
              onExclusive(target.checked);
            }}
          />
        )}
        <p role="status" className={form.pending && meanwhile ? 'text-sm text-muted' : 'sr-only'}>
          {form.pending && meanwhile}
        </p>
        <Submit form={form} beside={null}>
          {say('save')}
        </Submit>
      </FormBox>
    </div>
  );
}
