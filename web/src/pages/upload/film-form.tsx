/** Form for a video's title, categories and other details. */
import { waitText } from '@/i18n/errors';
import { useUploadText } from '@/i18n/upload';
import { useVisitor } from '@/lib/visitor';
import type { Details } from '@/shared/details/details';
import { DetailsForm } from '@/shared/details/details-form';
import { fromField } from '@/shared/details/publish-time';
import { Checkbox, TextArea } from '@/ui/form/field';
import { textField } from '@/ui/form/use-form';
import type { Limits } from './file-checks';
import type { FilmFields } from './film-fields';
import { PUBLISH_AT, publishProblems, PublishField } from './publish-field';

interface Props {
  /** The form's accessible name. */
  name: string;
  /** Initial values. */
  first: FilmFields;
  limits: Limits;
  /** Called with the current input. */
  onKeep?: (fields: FilmFields) => void;
  /** Only for files, because existing videos are long enough. */
  onExclusive?: (isExclusive: boolean) => void;
  send: (fields: FilmFields) => Promise<unknown>;
  /** Shown while sending, if this may take long. */
  meanwhile?: string | undefined;
}

const EXCLUSIVE = 'exclusive';
const CHAPTERS = 'chapters';

export function FilmForm(props: Props) {
  const { first, limits, onKeep, onExclusive, send, ...rest } = props;
  const say = useUploadText();
  const { lang } = useVisitor();
  const read = (details: Details, data: FormData): FilmFields => ({
    ...details,
    chapters: textField(data, CHAPTERS),
    isExclusive: data.has(EXCLUSIVE),
    publishAt:
      first.publishAt === null ? null : fromField(textField(data, PUBLISH_AT), first.publishAt),
  });
  return (
    <DetailsForm
      {...rest}
      first={first}
      limits={limits}
      words={{ visibility: say('visibility'), private: say('private') }}
      onKeep={(details, data) => onKeep?.(read(details, data))}
      send={(details, data) => send(read(details, data))}
      more={{
        fields: [CHAPTERS, EXCLUSIVE, PUBLISH_AT],
        check: publishProblems,
        draw: (form) => (
          <>
            {first.publishAt !== null && <PublishField form={form} first={first.publishAt} />}
            <TextArea
              form={form}
              name={CHAPTERS}
              label={say('chapters')}
              hint={say('chaptersHint')}
              rows={4}
              defaultValue={first.chapters}
            />
            {onExclusive && (
              <Checkbox
                form={form}
                name={EXCLUSIVE}
                label={say('exclusive')}
                hint={say('exclusiveHint', {
                  exclusive: waitText(limits.exclusive_seconds, lang),
                  other: waitText(limits.other_seconds, lang),
                })}
                defaultChecked={first.isExclusive}
                onChange={({ target }) => onExclusive(target.checked)}
              />
            )}
          </>
        ),
      }}
    />
  );
}
