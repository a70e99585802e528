/** The frame around members' screens. */
import { useState, type ReactNode } from 'react';
import { cn } from '@/lib/cn';
import { heading, useTitle } from '@/lib/title';
import { Redirect } from '@/shared/layout/redirect';
import { AskLogin } from './ask-login';
import { useMe, type Me } from './use-me';
import { signInFirst } from './wanted';

interface Props {
  title: string;
  lead: string;
  /** Whether the frame is as wide as lists, not as narrow as text. */
  wide?: boolean;
  /** Whether guests are asked to log in here instead of being sent to the home page. */
  asksHere?: boolean;
  children: (me: Me) => ReactNode;
}

export function Waiting() {
  return <div aria-busy="true" className="skeleton h-64 rounded-card" />;
}

export function MemberFrame({ title, lead, wide, asksHere = false, children }: Props) {
  const me = useMe();
  const [wasMember, setWasMember] = useState(false);
  if (me && !wasMember) setWasMember(true);
  useTitle(title);
  return (
    <div className="page pt-6 lg:pt-8">
      <div className={cn('mx-auto flex flex-col gap-6', !wide && 'max-w-4xl')}>
        <div className="flex flex-col gap-2">
          <h1 className={heading}>{title}</h1>
          <p className="text-pretty text-muted">{lead}</p>
        </div>
        {me ? children(me) : me === undefined && <Waiting />}
        {/* If the session ends in the meantime, unsaved input stays visible. */}
        {me === null &&
          (asksHere || wasMember ? (
            <AskLogin />
          ) : (
            <Redirect to={signInFirst(location.pathname + location.search)} />
          ))}
      </div>
    </div>
  );
}
