import * as Popover from '@radix-ui/react-popover';
import { useState } from 'react';
import { cn } from '@/lib/cn';
import { useBackCloses } from './back';
import { Arrow, opener, type DisclosureProps } from './disclosure-button';
import { leaveFocus } from './focus';

/** The button and its panel. The panel is open at first, because the click that loaded this code opens it. */
export default function PopoverPanel(props: DisclosureProps) {
  const { label, name, align = 'start', className, panelClassName, children } = props;
  const [open, setOpen] = useState(true);
  const close = () => setOpen(false);
  useBackCloses(close, open);
  return (
    <div>
      <Popover.Root open={open} onOpenChange={setOpen}>
        <Popover.Trigger
          aria-haspopup={undefined}
          aria-label={name}
          className={cn(opener, className)}
        >
          {label}
          <Arrow />
        </Popover.Trigger>
        <Popover.Content
          // The panel contains links and choices, which need no dialog role.
          role={undefined}
          align={align}
          sideOffset={8}
          collisionPadding={8}
          onCloseAutoFocus={leaveFocus}
          className={cn(
            'z-40 max-h-[70dvh] min-w-48 outline-none animate-[appear_120ms] overflow-y-auto rounded-card border border-line bg-surface p-2 shadow-pop',
            panelClassName,
          )}
        >
          {children(close)}
        </Popover.Content>
      </Popover.Root>
    </div>
  );
}
