/** The frame of screens where members work on films. */
import type { ReactNode } from 'react';
import { heading, useTitle } from '@/lib/title';
import { useMe, type Me } from '@/shared/account/use-me';
import { AskLogin } from './ask-login';

interface Props {
  title: string;
  lead: string;
  children: (me: Me) => ReactNode;
}

export function Waiting() {
  return <div aria-busy="true" className="skeleton h-64 rounded-card" />;
}

export function MemberFrame({ title, lead, children }: Props) {
  const me = useMe();
  useTitle(title);
  return (
    <div className="page pt-6 lg:pt-8">
      <div className="mx-auto flex max-w-4xl flex-col gap-6">
        <div className="flex flex-col gap-2">
          <h1 className={heading}>{title}</h1>
          <p className="text-pretty text-muted">{lead}</p>
        </div>
        {me ? children(me) : <Waiting />}
        {me === null && <AskLogin />}
      </div>
    </div>
  );
}
