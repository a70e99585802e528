/** Asks for a fresh one-time password if a decision requires one, and then sends the decision again. */
import { createContext, use, useCallback, useState, type ReactNode } from 'react';
import { useModerateText } from '@/i18n/moderate';
import { ApiError } from '@/lib/http';
import Sheet from '@/ui/sheet';
import { SecondStep } from './second-step';

/** Error codes of refusals that can be resolved by entering a code. */
const NEED_CODE = ['second_step_needed', 'step_up_needed'];

type Send = <T>(send: () => Promise<T>) => Promise<T>;

const StepUp = createContext<Send>((send) => send());

/** Sends a decision. If it is refused for lack of a code, asks for one and sends the decision again. */
export const useStepUp = (): Send => use(StepUp);

export function StepUpProvider({ children }: { children: ReactNode }) {
  const say = useModerateText();
  // Tells the waiting decision whether the moderator entered a code.
  const [answer, setAnswer] = useState<((entered: boolean) => void) | null>(null);
  const run = useCallback<Send>(async (send) => {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ApiError && NEED_CODE.includes(error.code))) throw error;
      const entered = await new Promise<boolean>((resolve) => setAnswer(() => resolve));
      setAnswer(null);
      if (!entered) throw error;
      return await send();
    }
  }, []);
  return (
    <StepUp value={run}>
      {children}
      {answer && (
        <Sheet title={say('freshCode')} place="center" onClose={() => answer(false)}>
          <SecondStep lead={say('freshCodeLead')} onDone={() => answer(true)} />
        </Sheet>
      )}
    </StepUp>
  );
}
