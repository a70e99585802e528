/** Announces each change in an upload's state to screen readers. */
import { useState } from 'react';
import { useUploadText } from '@/i18n/upload';
import type { Row } from './rows';
import { changedRows, seenOf, stageText } from './stage-text';

export function Announcer({ rows }: { rows: readonly Row[] }) {
  const say = useUploadText();
  const [seen, setSeen] = useState(() => seenOf(rows));
  const [text, setText] = useState('');
  const changed =
    rows.length !== seen.size || rows.some(({ key, stage }) => seen.get(key) !== stage);
  if (changed) {
    const news = changedRows(seen, rows).map((row) => `${row.name}: ${stageText(row, say)}`);
    setSeen(seenOf(rows));
    if (news.length > 0) setText(news.join('. '));
  }
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  );
}
