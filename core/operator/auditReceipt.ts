import {
  type CommittedEvent,
  computeEventCommitment,
  isPrivateEvent,
  listLanguages,
  publishedTextHash,
} from "#core/operator/commitment.ts";
import {
  type AuditLeaf,
  auditHash,
  decodeAudit,
  type PublicEvent,
} from "#core/transparency-log/auditLeaf.ts";
import { hexToBytes } from "#core/transparency-log/bytes.ts";
import { type Canonical, canonicalText, isWellFormed } from "#core/transparency-log/canonical.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import {
  exactly,
  isCount,
  isHash,
  isLog,
  isObject,
  isText,
  orNull,
} from "#core/transparency-log/schema.ts";
import type { WorldLeaf } from "#core/transparency-log/worldLeaf.ts";

/**
 * Receipts of operators' acts and publications (docs/formats/audit.md): the opening of a
 * commitment, which only the affected person has, and a published text.
 */
export const actReceiptFormat = "drydock.receipt.act/1";
export const publicationReceiptFormat = "drydock.receipt.publication/1";

interface ReceiptHeader {
  practice: unknown;
  backing: unknown;
  world: string;
  market: { kind: string; speed: number };
  log: { origin: string; vkey: string };
  /** Index of the `audit` leaf. */
  leaf: number;
  /** Index of the one before it; null for the first. */
  before_leaf: number | null;
}

export interface ActReceipt extends ReceiptHeader {
  format: typeof actReceiptFormat;
  /** Real time. */
  at_ms: number;
  salt: string;
  act: CommittedEvent;
}

export interface PublicationReceipt extends ReceiptHeader {
  format: typeof publicationReceiptFormat;
  publication: string;
  kind: string;
  subject: string | null;
  version: number;
  published_at_ms: number;
  /** The complete text, in every language in which it was written. */
  body: { readonly [member: string]: Canonical };
}

export type AuditMismatch =
  | "receipt_malformed"
  | "not_practice"
  | "world_differs"
  | "market_differs"
  | "leaf_missing"
  | "leaf_unreadable"
  | "act_not_in_log"
  | "act_time_differs"
  | "commitment_differs"
  | "public_part_differs"
  | "publication_not_in_log"
  | "publication_time_differs"
  | "text_differs"
  | "languages_differ"
  | "audit_chain_broken";

export interface AuditCheckStep {
  step: string;
  ok: boolean;
  difference: AuditMismatch | null;
  inputs: Record<string, string | number | null>;
}

class AuditMismatchError extends Error {
  readonly difference: AuditMismatch;
  constructor(difference: AuditMismatch) {
    super(difference);
    this.name = "AuditMismatchError";
    this.difference = difference;
  }
}

function ensure(condition: boolean, difference: AuditMismatch): asserts condition {
  if (!condition) throw new AuditMismatchError(difference);
}

const headerFields = {
  format: isText,
  practice: () => true,
  backing: () => true,
  world: isText,
  market: exactly({ kind: isText, speed: isCount }),
  log: isLog,
  leaf: isCount,
  before_leaf: orNull(isCount),
};

/** The longest reason of an act, in UTF-16 units. */
const whyMax = 1_000;
const isWhy = (value: unknown) =>
  typeof value === "string" && value !== "" && value.length <= whyMax;

const isActForm = exactly({
  ...headerFields,
  at_ms: isCount,
  salt: isHash,
  act: exactly({
    what: isText,
    operator: isText,
    role: isText,
    target: orNull(isText),
    touches: orNull(isText),
    why: orNull(isWhy),
    details: orNull(isCanonicalObject),
  }),
});

const isPublicationForm = exactly({
  ...headerFields,
  publication: isText,
  kind: isText,
  subject: orNull(isText),
  version: isCount,
  published_at_ms: isCount,
  body: isCanonicalObject,
});

/** Returns true if it has a canonical form, as everything hashed must have. */
function isCanonicalObject(value: unknown): boolean {
  if (!isObject(value)) return false;
  try {
    canonicalText(value as Canonical);
    return true;
  } catch {
    return false;
  }
}

export function parseActReceipt(value: unknown): ActReceipt | null {
  return isObject(value) &&
    value.format === actReceiptFormat &&
    isActForm(value) &&
    isWellFormed(value)
    ? (value as unknown as ActReceipt)
    : null;
}

export function parsePublicationReceipt(value: unknown): PublicationReceipt | null {
  return isObject(value) &&
    value.format === publicationReceiptFormat &&
    isPublicationForm(value) &&
    isWellFormed(value)
    ? (value as unknown as PublicationReceipt)
    : null;
}

/** The leaves that such a receipt depends on. */
export function listNeededAuditLeaves({ leaf, before_leaf: before }: ReceiptHeader): number[] {
  return before === null ? [0, leaf] : [0, before, leaf];
}

type Leaves = ReadonlyMap<number, Uint8Array>;
type Inputs = AuditCheckStep["inputs"];

/** Checks an opened act against the log. */
export function checkAct(value: unknown, world: WorldLeaf, leaves: Leaves): AuditCheckStep[] {
  const receipt = parseActReceipt(value);
  if (!receipt) return malformed;
  const { act, salt, leaf } = receipt;
  return runSteps([
    ["marks", () => checkMarks(receipt, world)],
    [
      "act",
      () => {
        const { record, atMs } = auditLeafAt(leaves, world, leaf, "act_not_in_log");
        ensure(record.type === "act", "act_not_in_log");
        ensure(atMs === receipt.at_ms, "act_time_differs");
        const commitment = computeEventCommitment(world.world, hexToBytes(salt), act);
        ensure(commitment === record.commitment, "commitment_differs");
        ensure(isPublicPart(record.act, act), "public_part_differs");
        return { leaf, commitment, what: act.what };
      },
    ],
    ["audit_chain", () => checkBefore(leaves, world, receipt)],
  ]);
}

/** A private act has no public part; that of any other must match the opening. */
function isPublicPart(publicEvent: PublicEvent | null, act: CommittedEvent): boolean {
  if (isPrivateEvent(act)) return publicEvent === null;
  if (publicEvent === null) return false;
  const details = Object.entries(publicEvent.details ?? {});
  return (
    publicEvent.what === act.what &&
    publicEvent.role === act.role &&
    (publicEvent.target === null || publicEvent.target === act.target) &&
    details.every(([name, value]) => act.details !== null && act.details[name] === value)
  );
}

/** Checks a published text against the log. */
export function checkPublication(
  value: unknown,
  world: WorldLeaf,
  leaves: Leaves,
): AuditCheckStep[] {
  const receipt = parsePublicationReceipt(value);
  if (!receipt) return malformed;
  const { leaf, body, kind } = receipt;
  return runSteps([
    ["marks", () => checkMarks(receipt, world)],
    [
      "published",
      () => {
        const { record, atMs } = auditLeafAt(leaves, world, leaf, "publication_not_in_log");
        ensure(
          record.type === "publication" &&
            record.state === "published" &&
            record.publication === receipt.publication &&
            record.kind === kind &&
            record.subject === receipt.subject &&
            record.version === receipt.version,
          "publication_not_in_log",
        );
        ensure(atMs === receipt.published_at_ms, "publication_time_differs");
        const text = publishedTextHash(world.world, kind, body);
        ensure(text === record.text, "text_differs");
        ensure(listLanguages(body).join() === record.languages.join(), "languages_differ");
        return { leaf, version: record.version, text };
      },
    ],
    ["audit_chain", () => checkBefore(leaves, world, receipt)],
  ]);
}

const malformed: AuditCheckStep[] = [
  { step: "marks", ok: false, difference: "receipt_malformed", inputs: {} },
];

function checkMarks(
  { practice, backing, world, market }: ReceiptHeader,
  worldLeaf: WorldLeaf,
): Inputs {
  ensure(practice === true && backing === "none", "not_practice");
  ensure(world === worldLeaf.world, "world_differs");
  const { kind, speed } = worldLeaf.market;
  ensure(market.kind === kind && market.speed === speed, "market_differs");
  return { world, market: kind, speed };
}

/** The `audit` leaf at `index`; `otherwise` names a leaf of another kind. */
function auditLeafAt(
  leaves: Leaves,
  { world }: WorldLeaf,
  index: number,
  otherwise: AuditMismatch,
): AuditLeaf {
  const bytes = leaves.get(index);
  ensure(bytes !== undefined, "leaf_missing");
  const result = decodeAudit(bytes, worldTag(world));
  if (result.ok) return result.value;
  throw new AuditMismatchError(result.error === "leaf_kind_wrong" ? otherwise : "leaf_unreadable");
}

/** The leaf follows from the one before it. */
function checkBefore(leaves: Leaves, world: WorldLeaf, receipt: ReceiptHeader): Inputs {
  const auditLeaf = auditLeafAt(leaves, world, receipt.leaf, "audit_chain_broken");
  ensure(auditLeaf.before === receipt.before_leaf, "audit_chain_broken");
  if (auditLeaf.before !== null) {
    ensure(auditLeaf.before < receipt.leaf, "audit_chain_broken");
    const previousLeaf = auditLeafAt(leaves, world, auditLeaf.before, "audit_chain_broken");
    const hash = auditHash(leaves.get(auditLeaf.before)!);
    ensure(
      previousLeaf.seq === auditLeaf.seq - 1 && hash === auditLeaf.previous,
      "audit_chain_broken",
    );
  }
  return { number: auditLeaf.seq, before: auditLeaf.before };
}

function runSteps(steps: readonly (readonly [string, () => Inputs])[]): AuditCheckStep[] {
  const auditCheckSteps: AuditCheckStep[] = [];
  for (const [step, run] of steps) {
    try {
      auditCheckSteps.push({ step, ok: true, difference: null, inputs: run() });
    } catch (error) {
      if (!(error instanceof AuditMismatchError)) throw error;
      auditCheckSteps.push({ step, ok: false, difference: error.difference, inputs: {} });
      break;
    }
  }
  return auditCheckSteps;
}
