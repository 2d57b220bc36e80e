import type { LeafReader, Step } from "../contracts/receipt.ts";
import { fromHex, MismatchError, sha256 } from "../log/bytes.ts";
import { canonicalBytes, canonicalText } from "../log/canonical.ts";
import { decodeWorld, type World, worldTag } from "../log/leaves.ts";
import { type AuditEventLeaf, decodeAudit, type PublicationLeaf } from "./auditLeaf.ts";
import { isActReceipt, isPublicationReceipt } from "./forms.ts";

/** Receipts of acts and of published texts (docs/formats/audit.md). */
interface ReceiptHeader {
  format: string;
  practice: unknown;
  backing: unknown;
  world: string;
  market: { kind: string; speed: number };
  log: { origin: string; vkey: string };
  leaf: number;
  before_leaf: number | null;
}

export interface ActReceipt extends ReceiptHeader {
  at_ms: number;
  salt: string;
  act: {
    what: string;
    operator: string;
    role: string;
    target: string | null;
    touches: string | null;
    why: string | null;
    details: Record<string, unknown> | null;
  };
}

export interface PublicationReceipt extends ReceiptHeader {
  publication: string;
  kind: string;
  subject: string | null;
  version: number;
  published_at_ms: number;
  body: Record<string, unknown>;
}

interface ReceiptContext {
  world: World;
  tag: Uint8Array;
  leaf: LeafReader;
}

const mismatch = (step: string, name: string, detail = "") => new MismatchError(step, name, detail);

async function openHeader(leaf: LeafReader, receipt: ReceiptHeader): Promise<ReceiptContext> {
  const world = decodeWorld(await leaf(0));
  if (receipt.practice !== true || receipt.backing !== "none")
    throw mismatch("marks", "not_practice");
  if (receipt.world !== world.name) throw mismatch("marks", "world_differs", world.name);
  const { kind, speed } = world.market;
  if (receipt.market.kind !== kind || receipt.market.speed !== speed)
    throw mismatch("marks", "market_differs", `the log says ${kind} ${speed}`);
  return { world, tag: worldTag(world.name), leaf };
}

/** The `audit` leaf at `index`; a leaf of another kind is the difference `otherwise`. */
async function auditAt(
  { tag, leaf }: ReceiptContext,
  index: number,
  step: string,
  otherwise: string,
) {
  const entry = await leaf(index);
  try {
    return decodeAudit(entry, tag);
  } catch (error) {
    if (!(error instanceof MismatchError)) throw error;
    const isOtherKind = error.difference === "leaf_kind_wrong";
    throw mismatch(step, isOtherKind ? otherwise : "leaf_unreadable", `leaf ${index}`);
  }
}

async function checkBefore(
  receiptContext: ReceiptContext,
  entry: AuditEventLeaf | PublicationLeaf,
  { leaf: leafIndex, before_leaf: before }: ReceiptHeader,
): Promise<Step> {
  const broken = (detail: string) => mismatch("chain", "audit_chain_broken", detail);
  if (entry.before !== before) throw broken(`the leaf names ${entry.before} before it`);
  if (before === null) return { step: "chain", message: "It is the first of the audit chain." };
  if (before >= leafIndex) throw broken(`leaf ${before} is not before leaf ${leafIndex}`);
  const previousEntry = await auditAt(receiptContext, before, "chain", "audit_chain_broken");
  if (previousEntry.hash !== entry.previous || previousEntry.seq + 1 !== entry.seq)
    throw broken(`leaf ${before} is not the one that it follows`);
  return {
    step: "chain",
    message: `Number ${entry.seq} of the audit chain, after leaf ${before}.`,
  };
}

const labelsStep = (world: string): Step => ({
  step: "marks",
  message: `Practice only, backed by nothing; world "${world}".`,
});

/**
 * Checks an act, as opened by the person whom it affected. Resolves with a sentence per step;
 * rejects with a MismatchError.
 */
export async function checkActReceipt(
  value: unknown,
  leaf: LeafReader,
): Promise<{ receipt: ActReceipt; steps: Step[] }> {
  if (!isActReceipt(value)) throw mismatch("form", "receipt_malformed");
  const receipt = value as unknown as ActReceipt;
  const receiptContext = await openHeader(leaf, receipt);
  const entry = await auditAt(receiptContext, receipt.leaf, "act", "act_not_in_log");
  if (entry.type !== "act") throw mismatch("act", "act_not_in_log", `leaf ${receipt.leaf}`);
  if (entry.at_ms !== receipt.at_ms) throw mismatch("act", "act_time_differs", `${entry.at_ms}`);
  const { act } = receipt;
  const commitment = sha256(
    Buffer.from("drydock.act/1\n"),
    fromHex(receipt.salt),
    canonicalBytes({ practice: true, backing: "none", world: receipt.world, ...act }),
  ).toString("hex");
  if (commitment !== entry.commitment) throw mismatch("act", "commitment_differs", commitment);
  if (!isSameAct(entry.act, act)) throw mismatch("act", "public_part_differs");
  const message = `Leaf ${receipt.leaf} commits to ${act.what} by ${act.role} at ${new Date(entry.at_ms).toISOString()}.`;
  const chain = await checkBefore(receiptContext, entry, receipt);
  return { receipt, steps: [labelsStep(receipt.world), { step: "act", message }, chain] };
}

function isSameAct(statedAct: AuditEventLeaf["act"], act: ActReceipt["act"]): boolean {
  const isPrivate = act.touches !== null || act.what.startsWith("operators.");
  if (statedAct === null || isPrivate) return statedAct === null && isPrivate;
  if (statedAct.what !== act.what || statedAct.role !== act.role) return false;
  if (statedAct.target !== null && statedAct.target !== act.target) return false;
  return Object.entries(statedAct.details ?? {}).every(
    ([name, value]) => act.details?.[name] === value,
  );
}

/** Checks a published text, which everyone can read. */
export async function checkPublicationReceipt(
  value: unknown,
  leaf: LeafReader,
): Promise<{ receipt: PublicationReceipt; steps: Step[] }> {
  if (!isPublicationReceipt(value)) throw mismatch("form", "receipt_malformed");
  const receipt = value as unknown as PublicationReceipt;
  const receiptContext = await openHeader(leaf, receipt);
  const entry = await auditAt(receiptContext, receipt.leaf, "published", "publication_not_in_log");
  const matches =
    entry.type === "publication" &&
    entry.state === "published" &&
    entry.publication === receipt.publication &&
    entry.kind === receipt.kind &&
    entry.subject === receipt.subject &&
    entry.version === receipt.version;
  if (!matches) throw mismatch("published", "publication_not_in_log", `leaf ${receipt.leaf}`);
  if (entry.at_ms !== receipt.published_at_ms)
    throw mismatch("published", "publication_time_differs", `${entry.at_ms}`);
  const { world, kind, body } = receipt;
  const text = canonicalText({ practice: true, backing: "none", world, kind, body });
  if (sha256(Buffer.from(text)).toString("hex") !== entry.text)
    throw mismatch("published", "text_differs", entry.text);
  const { languages } = body;
  const writtenLanguages = languages instanceof Object ? Object.keys(languages).sort() : [];
  if (writtenLanguages.join() !== entry.languages.join())
    throw mismatch("published", "languages_differ", entry.languages.join());
  const message = `Version ${entry.version} of ${receipt.publication} (${kind}) is the text that leaf ${receipt.leaf} names, published at ${new Date(entry.at_ms).toISOString()}.`;
  const chain = await checkBefore(receiptContext, entry, receipt);
  return { receipt, steps: [labelsStep(world), { step: "published", message }, chain] };
}
