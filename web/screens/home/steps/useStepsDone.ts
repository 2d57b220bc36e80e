import { getWithdrawList } from "#api/routes/withdraw.ts";
import type { UserInfo } from "#api/session.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useProductLines } from "#web/screens/home/useProductLines.ts";
import { readSteps, readStepsHere, type StepName } from "./storage.ts";

const orderLines: readonly string[] = ["contract", "hosting", "mining"];

/** A withdrawal is paid some minutes after it was asked for. */
const refetchMs = 30_000;

const isSome = (amount: string | null) => amount !== null && /[1-9]/.test(amount);

export interface Steps {
  done: ReadonlySet<StepName>;
  /** A withdrawal was asked for and is not yet paid. */
  isPaying: boolean;
}

/**
 * Which steps are done, according to the calls and to what was stored before. Null until the calls
 * have answered, unless something was stored.
 */
export function useStepsDone(user: UserInfo): Steps | null {
  const storedDone = readSteps(user.user_id);
  // A person who dismissed the list and opens it again gets the steps that follow from the calls
  // and the browser.
  const doneBefore: ReadonlySet<StepName> = storedDone === "away" ? new Set() : storedDone;
  const lines = useProductLines();
  const withdrawals = useApiQuery(
    getWithdrawList,
    { page: 1, page_size: 10 },
    { enabled: !doneBefore.has("withdraw"), refetchMs },
  );
  const isPending = lines.isPending || (!doneBefore.has("withdraw") && withdrawals.isPending);
  if (isPending) return doneBefore.size > 0 ? { done: doneBefore, isPaying: false } : null;
  const doneSteps = new Set<StepName>([...doneBefore, ...readStepsHere()]);
  // Something is in a line, or its result shows that something was.
  const hasUsedLine = lines.data?.items.some(
    ({ type, balance, total }) => orderLines.includes(type) && (isSome(balance) || isSome(total)),
  );
  if (hasUsedLine) doneSteps.add("order");
  const recentWithdrawals = withdrawals.data?.items ?? [];
  if (recentWithdrawals.some(({ outcome }) => outcome === "left")) doneSteps.add("withdraw");
  return {
    done: doneSteps,
    isPaying:
      !doneSteps.has("withdraw") && recentWithdrawals.some(({ outcome }) => outcome === null),
  };
}
