/** A button that shows a panel below it, such as navigation, language or sort order. The panel's code loads on first use. */
import { cn } from '@/lib/cn';
import { Arrow, opener, type DisclosureProps } from './disclosure-button';
import { useOnDemand } from './use-on-demand';

const load = () => import('./popover');

export function Disclosure(props: DisclosureProps) {
  const { Part, prefetch, ask } = useOnDemand(load);
  if (Part) return <Part {...props} />;
  return (
    <div>
      <button
        type="button"
        aria-expanded={false}
        aria-label={props.name}
        onPointerEnter={prefetch}
        onFocus={prefetch}
        onClick={ask}
        className={cn(opener, props.className)}
      >
        {props.label}
        <Arrow />
      </button>
    </div>
  );
}

/** Returns the style of a row in a panel. */
export const panelItem = (current: boolean): string =>
  cn(
    'flex min-h-10 w-full items-center justify-between gap-4 rounded-control px-3 py-2 text-start text-sm transition-colors hover:bg-raised',
    current && 'font-semibold text-accent',
  );
