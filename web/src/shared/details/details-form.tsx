/** The form for a video's or album's title, categories and other details. */
import { useState, type ReactNode } from 'react';
import { useT } from '@/i18n';
import { useUploadText } from '@/i18n/upload';
import { GENDERS, LANGS, OWN_NAMES } from '@/lib/audience';
import { oneOf } from '@/lib/one-of';
import { Field, Select, Submit, TextArea } from '@/ui/form/field';
import { FormBox, useForm, type Form, type Problems } from '@/ui/form/use-form';
import {
  detailsProblems,
  FIELDS,
  readDetails,
  VISIBLE,
  type DetailLimits,
  type Details,
} from './details';
import { PickField } from './pick-field';
import { useCategories, useModels } from './pick-queries';

interface Props {
  /** The form's accessible name. */
  name: string;
  /** Initial values. */
  first: Details;
  limits: DetailLimits;
  /** Texts that explain privacy for this kind of content. */
  words: { visibility: string; private: string };
  /** The submit button's label, which is "Save" by default. */
  submit?: string;
  /** Called with the current input. */
  onKeep?: (details: Details, data: FormData) => void;
  send: (details: Details, data: FormData) => Promise<unknown>;
  /** Shown while sending, if this may take long. */
  meanwhile?: string | undefined;
  /** Names of additional fields, the function that renders them, and their validation. */
  more?:
    | {
        fields: readonly string[];
        draw: (form: Form) => ReactNode;
        check?: (element: HTMLFormElement) => Problems;
      }
    | undefined;
}

const NONE: readonly string[] = [];

export function DetailsForm(props: Props) {
  const { name, first, limits, words, submit, onKeep, send, meanwhile, more } = props;
  const t = useT();
  const say = useUploadText();
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [picked, setPicked] = useState({ categories: first.categories, models: first.models });
  const [orientation, setOrientation] = useState(first.orientation);
  const [texts, setTexts] = useState({ categories: '', models: '' });
  const categories = useCategories(texts.categories, orientation);
  const models = useModels(texts.models);
  const form = useForm({
    fields: [...FIELDS, ...(more?.fields ?? NONE)],
    check: (data, sent) => ({
      ...detailsProblems(readDetails(data, picked, first.lang), limits),
      ...more?.check?.(sent),
    }),
    send: (data) => send(readDetails(data, picked, first.lang), data),
  });
  const keep = (now = picked) => {
    const box = element?.querySelector('form');
    if (!box) return;
    const data = new FormData(box);
    onKeep?.(readDetails(data, now, first.lang), data);
  };
  const pick = (field: 'categories' | 'models') => ({
    form,
    name: field,
    chosen: picked[field],
    text: texts[field],
    onType: (text: string) => setTexts((old) => ({ ...old, [field]: text })),
    onChange: (chosen: Details['models']) => {
      const next = { ...picked, [field]: chosen };
      setPicked(next);
      keep(next);
    },
  });
  return (
    <div ref={setElement}>
      <FormBox form={form} label={say('formOf', { name })} onBegin={() => keep()}>
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
            onChange={({ target }) => setOrientation(oneOf(GENDERS, target.value, orientation))}
          />
          <Select
            form={form}
            name="lang"
            label={say('lang')}
            options={LANGS.map((code) => [code, OWN_NAMES[code]] as const)}
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
          label={words.visibility}
          options={[
            [String(VISIBLE.public), say('public')],
            [String(VISIBLE.private), words.private],
          ]}
          defaultValue={String(first.isPrivate ? VISIBLE.private : VISIBLE.public)}
        />
        {more?.draw(form)}
        <p role="status" className={form.pending && meanwhile ? 'text-sm text-muted' : 'sr-only'}>
          {form.pending && meanwhile}
        </p>
        <Submit form={form} beside={null}>
          {submit ?? say('save')}
        </Submit>
      </FormBox>
    </div>
  );
}
