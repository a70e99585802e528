import { useEffect } from 'react';
import { below } from '@/lib/below';
import { sent } from '@/lib/sent';

// Offline there is nothing more to say.
const ignore = () => undefined;

/** What an operator says below a list: plain text, in the language of the page. */
export function Below() {
  const blocks = below.useValue();
  useEffect(() => {
    // Behind the age gate the page had none yet.
    if (sent().age_gate) void import('@/lib/head').then(({ updateHead }) => updateHead(), ignore);
  }, []);
  if (blocks.length === 0) return null;
  return (
    // Below everything that can be chosen, where nothing moves when it comes.
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
