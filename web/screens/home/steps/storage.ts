import { browserStorage } from "#web/lib/storage.ts";

/**
 * A newcomer's first steps, in the order that makes sense.
 * Stored in this browser only: on the server they would be one more piece of personal data to
 * export and erase, although existing calls already tell most of it. That a receipt was recomputed
 * is reported to nobody.
 */
export const stepNames = ["terms", "order", "withdraw", "receipt", "lesson"] as const;
export type StepName = (typeof stepNames)[number];

const put = "away";

/**
 * The steps this browser saw `userId` complete; "away" once the list was dismissed, which it can
 * be before and after all are done.
 */
export function storedSteps(userId: string): ReadonlySet<StepName> | "away" {
  const [owner, list = ""] = (browserStorage.read("steps") ?? "").split(" ");
  if (owner !== userId) return new Set();
  if (list === put) return "away";
  return new Set(stepNames.filter((name) => list.split(",").includes(name)));
}

/** Stores completed steps for good: a step stays done, also in a new attempt. */
export function storeSteps(userId: string, done: ReadonlySet<StepName>): void {
  browserStorage.write("steps", `${userId} ${[...done].join(",")}`);
}

export function dismissSteps(userId: string): void {
  browserStorage.write("steps", `${userId} ${put}`);
}

/** Whether a receipt was ever recomputed in this browser; written by `web/features/receipt`. */
export function receiptChecked(): boolean {
  return browserStorage.read("receipt_checked") === "1";
}
