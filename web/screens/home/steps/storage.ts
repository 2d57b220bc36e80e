import { browserStorage } from "#web/lib/storage.ts";

/**
 * The first ten minutes of a newcomer, in the order that makes sense.
 * Stored in this browser only: on the server they would be one more piece of personal data to
 * export and erase, although existing calls already tell most of it. That a thousand people were
 * run, a picture of a fraud looked at or a receipt recomputed is reported to no one, but in a class
 * that has it as a task (docs/rules/classes.md).
 */
export const stepNames = ["order", "thousand", "withdraw", "fraud", "receipt"] as const;
export type StepName = (typeof stepNames)[number];

/** Steps that happen in this browser alone, and what is stored where each of them happens. */
const storageNames = {
  thousand: "thousand_run",
  fraud: "fraud_met",
  receipt: "receipt_checked",
} as const satisfies Partial<Record<StepName, string>>;

const dismissed = "away";

/**
 * The steps this browser saw `userId` complete; "away" once the list was dismissed, which it can
 * be before and after all are done.
 */
export function readSteps(userId: string): ReadonlySet<StepName> | "away" {
  const [owner, list = ""] = (browserStorage.read("steps") ?? "").split(" ");
  if (owner !== userId) return new Set();
  if (list === dismissed) return "away";
  return new Set(stepNames.filter((name) => list.split(",").includes(name)));
}

/** Stores completed steps for good: a step stays done, also in a new attempt. */
export function storeSteps(userId: string, doneSteps: ReadonlySet<StepName>): void {
  browserStorage.write("steps", `${userId} ${[...doneSteps].join(",")}`);
}

export function dismissSteps(userId: string): void {
  browserStorage.write("steps", `${userId} ${dismissed}`);
}

/** The steps that ever happened in this browser, in any account. */
export function readStepsHere(): StepName[] {
  return (Object.keys(storageNames) as (keyof typeof storageNames)[]).filter(
    (name) => browserStorage.read(storageNames[name]) === "1",
  );
}
