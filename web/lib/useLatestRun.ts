import { useRef } from "react";

/**
 * Whose turn it is among attempts that may never be answered, such as questions to a wallet. `begin`
 * starts an attempt, abandons the one before, and returns whether the new one is still wanted;
 * `abandon` ends the running one. What an unwanted attempt answers must have no effect.
 */
export function useLatestRun() {
  const turn = useRef(0);
  const abandon = () => {
    turn.current += 1;
  };
  const begin = (): (() => boolean) => {
    abandon();
    const own = turn.current;
    return () => turn.current === own;
  };
  return { begin, abandon };
}
