/** Asks for the file again when an upload was started in an earlier visit. */
import { useState } from 'react';
import { useUploadText } from '@/i18n/upload';
import { fullDate } from '@/lib/format';
import { useVisitor } from '@/lib/visitor';
import { adopt } from './add-files';
import { FileButton } from '@/shared/files/drop-zone';
import { bytesText } from '@/shared/files/figures';
import { accepted, isSameFile, type Limits } from './file-checks';
import type { UploadItem } from './rows';

export function AskAgain({ item, limits }: { item: UploadItem; limits: Limits }) {
  const say = useUploadText();
  const { lang } = useVisitor();
  const [other, setOther] = useState<string | null>(null);
  const { file_name: name, size_bytes, expires_at } = item;
  const size = bytesText(size_bytes, lang);
  const hint = say('askAgain', { name, size, date: fullDate(expires_at, lang) });
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="text-sm text-pretty">{hint}</p>
      <FileButton
        label={say('chooseAgain')}
        accept={accepted(limits)}
        hint={hint}
        onFiles={([file]) => {
          if (!file) return;
          if (isSameFile(file, item)) adopt(file, item);
          else setOther(file.name);
        }}
      />
      {other !== null && (
        <p role="alert" className="text-sm text-danger">
          {say('otherFile', { other, name, size })}
        </p>
      )}
    </div>
  );
}
