import { canonicalText } from "../log/canonical.ts";

/** The forms of receipts of acts and published texts (docs/formats/audit.md). */
type Test = (value: unknown) => boolean;

const isText: Test = (value) =>
  typeof value === "string" && value.length > 0 && value.length <= 200;
const isHash: Test = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const isCount: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isReason: Test = (value) =>
  typeof value === "string" && value.length > 0 && value.length <= 1_000;
const orNull =
  (test: Test): Test =>
  (value) =>
    value === null || test(value);

const members =
  (tests: Record<string, Test>): Test =>
  (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const names = Object.keys(value).sort().join();
    return (
      names === Object.keys(tests).sort().join() &&
      Object.entries(value).every(([name, value]) => tests[name]?.(value))
    );
  };

/** An object that has a canonical form. */
const isCanonical: Test = (value) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  try {
    canonicalText(value);
    return true;
  } catch {
    return false;
  }
};

/** An object with these members that has a canonical form: its texts are well-formed. */
const canonicalMembers =
  (tests: Record<string, Test>): Test =>
  (value) =>
    members(tests)(value) && isCanonical(value);

const header = (format: string): Record<string, Test> => ({
  format: (value) => value === format,
  practice: () => true,
  backing: () => true,
  world: isText,
  market: members({ kind: isText, speed: isCount }),
  log: members({ origin: isText, vkey: isText }),
  leaf: isCount,
  before_leaf: orNull(isCount),
});

export const isActReceipt = canonicalMembers({
  ...header("drydock.receipt.act/1"),
  at_ms: isCount,
  salt: isHash,
  act: members({
    what: isText,
    operator: isText,
    role: isText,
    target: orNull(isText),
    touches: orNull(isText),
    why: orNull(isReason),
    details: orNull(isCanonical),
  }),
});

export const isPublicationReceipt = canonicalMembers({
  ...header("drydock.receipt.publication/1"),
  publication: isText,
  kind: isText,
  subject: orNull(isText),
  version: isCount,
  published_at_ms: isCount,
  body: isCanonical,
});
