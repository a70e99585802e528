import { useEffect } from 'react';
import { below } from '@/lib/below';
import { sent } from '@/lib/sent';

// Offline, there is no further text to show.
const ignore = () => undefined;

/** The operator's text below a list. It is plain text in the page's language. */
export function Below() {
  const blocks = below.useValue();
  useEffect(() => {
    // Pages behind the age gate are sent without the text.
    if (sent().age_gate) void import('@/lib/head').then(({ updateHead }) => updateHead(), ignore);
  }, []);
  if (blocks.length === 0) return null;
  return (
    // The text is below all controls, so that nothing shifts when it appears.
    <div className="page mt-12">
      <div className="flex max-w-[75ch] flex-col gap-3 text-sm leading-relaxed text-muted">
        {blocks.map(({ heading, text }, at) =>
          heading ? (
            <h2 key={at} className="pt-2 text-base font-semibold text-ink">
              {text}
            </h2>
          ) : (
            <p key={at}>{text}</p>
          ),
        )}
      </div>
    </div>
  );
}
