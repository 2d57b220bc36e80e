import { useState } from "react";
import { useSession } from "#web/features/session/useSession.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import type { CheckResult } from "#web/screens/help/promises/checks/check.ts";
import { checks } from "#web/screens/help/promises/checks/run.ts";
import { type PromiseNumber, promiseNumbers } from "#web/screens/help/views.ts";

/** The state of one promise's check. */
export type CheckState =
  | { at: "unchecked" }
  | { at: "checking" }
  | { at: "checked"; result: CheckResult; atMs: number }
  | { at: "failed"; text: string };

export interface Checks {
  /** False until the session is known, on which some results depend. */
  isReady: boolean;
  stateOf: (number: PromiseNumber) => CheckState;
  run: (number: PromiseNumber) => Promise<void>;
  /** Runs all in order, one at a time: each may read much of the log. */
  runAll: () => Promise<void>;
  /** The number of checks done in the run of all; null before the first run. */
  done: number | null;
}

/** The checks of the ten promises and their results, none of which is stored. */
export function useChecks(): Checks {
  const { status } = useSession();
  const errorMessage = useErrorMessage();
  const [states, setStates] = useState<Partial<Record<PromiseNumber, CheckState>>>({});
  const [doneCount, setDoneCount] = useState<number | null>(null);
  const set = (number: PromiseNumber, state: CheckState) =>
    setStates((before) => ({ ...before, [number]: state }));
  const run = async (number: PromiseNumber) => {
    set(number, { at: "checking" });
    try {
      const check = await checks[number]();
      const result = await check(status === "signed_in");
      set(number, { at: "checked", result, atMs: Date.now() });
    } catch (error) {
      set(number, { at: "failed", text: errorMessage(error) });
    }
  };
  const runAll = async () => {
    setDoneCount(0);
    for (const [index, number] of promiseNumbers.entries()) {
      await run(number);
      setDoneCount(index + 1);
    }
  };
  return {
    isReady: status !== "loading",
    stateOf: (number) => states[number] ?? { at: "unchecked" },
    run,
    runAll,
    done: doneCount,
  };
}
