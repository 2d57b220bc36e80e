import { browserStorage } from "#web/lib/storage.ts";

/**
 * What a newcomer does once, in the order in which it makes sense.
 * Kept in this browser alone: on the server it would be one more thing held about a person, to
 * export and to erase, for what can be read from calls that exist anyway. A recomputed receipt is
 * told to nobody.
 */
export const stepNames = ["terms", "order", "withdraw", "receipt", "lesson"] as const;
export type StepName = (typeof stepNames)[number];

const put = "away";

/**
 * The steps that this browser saw done by `userId`; "away" once all are, or once the person put the
 * list away.
 */
export function storedSteps(userId: string): ReadonlySet<StepName> | "away" {
  const [owner, list = ""] = (browserStorage.read("steps") ?? "").split(" ");
  if (owner !== userId) return new Set();
  if (list === put) return "away";
  return new Set(stepNames.filter((name) => list.split(",").includes(name)));
}

/** Keeps what was seen done, for good: a step that is done stays done, also in a new attempt. */
export function storeSteps(userId: string, done: ReadonlySet<StepName>): void {
  const all = stepNames.every((name) => done.has(name));
  browserStorage.write("steps", `${userId} ${all ? put : [...done].join(",")}`);
}

export function putStepsAway(userId: string): void {
  browserStorage.write("steps", `${userId} ${put}`);
}

/** Whether a receipt was ever recomputed in this browser; `web/features/receipt` writes it. */
export function receiptChecked(): boolean {
  return browserStorage.read("receipt_checked") === "1";
}
