import { useRef } from "react";

/**
 * Tracks the latest of several attempts that may never be answered, such as questions to a wallet.
 * `begin` starts an attempt, abandons the one before, and returns a function that returns true
 * while the new one is current; `abandon` ends the running one. The answer of an abandoned attempt
 * must have no effect.
 */
export function useLatestRun() {
  const turn = useRef(0);
  const abandon = () => {
    turn.current += 1;
  };
  const begin = (): (() => boolean) => {
    abandon();
    const ownTurn = turn.current;
    return () => turn.current === ownTurn;
  };
  return { begin, abandon };
}
