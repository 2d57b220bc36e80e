import { getLesson } from "#api/routes/lesson.ts";
import { getWithdrawList } from "#api/routes/withdraw.ts";
import type { UserInfo } from "#api/session.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useProductLines } from "#web/screens/home/useProductLines.ts";
import { receiptChecked, type StepName, stepNames, storedSteps } from "./storage.ts";

const orderLines: readonly string[] = ["contract", "hosting", "mining"];

const isSome = (amount: string | null) => amount !== null && /[1-9]/.test(amount);

/**
 * Which steps are done, according to the calls and to what was stored before. Null until the calls
 * have answered, unless something was stored.
 */
export function useStepsDone(user: UserInfo): ReadonlySet<StepName> | null {
  const stored = storedSteps(user.user_id);
  const before = stored === "away" ? new Set(stepNames) : stored;
  const lines = useProductLines();
  const withdrawals = useApiQuery(
    getWithdrawList,
    { page: 1, page_size: 10 },
    { enabled: !before.has("withdraw") },
  );
  const lesson = useApiQuery(getLesson, {}, { enabled: !before.has("lesson") });
  const waits =
    lines.isPending ||
    (!before.has("withdraw") && withdrawals.isPending) ||
    (!before.has("lesson") && lesson.isPending);
  if (waits) return before.size > 0 ? before : null;
  const done = new Set<StepName>(before);
  if (user.terms.accepted_version === user.terms.current_version) done.add("terms");
  // Something is in a line, or its result shows that something was.
  const used = lines.data?.items.some(
    ({ type, balance, total }) => orderLines.includes(type) && (isSome(balance) || isSome(total)),
  );
  if (used) done.add("order");
  // Asked for is not yet paid.
  if (withdrawals.data?.items.some(({ outcome }) => outcome === "left")) done.add("withdraw");
  if ((lesson.data?.runs.length ?? 0) > 0) done.add("lesson");
  if (receiptChecked()) done.add("receipt");
  return done;
}
