import { isAskedFor } from "./askedFor.ts";
import { equalBytes, fromHex, MismatchError, sha256, toHex } from "./bytes.ts";
import { canonicalBytes, type Json, parseCanonical } from "./canonical.ts";
import { verifyEd25519 } from "./ed25519.ts";
import { decodeSecond, decodeWorld, kinds, readKind, type Second, worldTag } from "./leaves.ts";
import { leafHash, nodeHash, provesInclusion, rangeHash } from "./merkle.ts";
import { parseVerifierKey, type VerifierKey } from "./note.ts";

/** Acknowledgements of money calls: docs/formats/acknowledgement.md. */
export interface Acknowledgement {
  world: string;
  log: string;
  call: string;
  key: string;
  body_hash: string;
  id: string;
  hash: string | null;
  accepted_at_ms: number;
  due_at_ms: number;
  tree: { size: number; root: string };
}

interface KeptAcknowledgement {
  acknowledgement: { promise: string; index: number; path: string[]; batch: string };
  certificate: string | null;
  sent: { call: string; key: string; body_hash: string; at_ms: number | null };
}

/**
 * The part of the log that the check reads: leaves proven under one checkpoint, and the hashes that
 * a leaf binds.
 */
export interface AcknowledgedLog {
  origin: string;
  size: number;
  /** Keys that the reader trusts for this log. */
  vkeys: readonly string[];
  leaf(index: number): Promise<Uint8Array>;
  /** Throws a MismatchError unless this log continues that tree. */
  continues(older: { size: number; root: Uint8Array }): Promise<void>;
  hashes(leaf: number): Promise<Uint8Array>;
}

export interface ReportedStep {
  step: string;
  message: string;
}

const formats = {
  acknowledgement: "drydock.acknowledgement/1",
  batch: "drydock.acknowledgement-batch/1",
  key: "drydock.acknowledgement-key/1",
  kept: "drydock.acknowledgement.kept/1",
};
const leavesMax = 5_000;

type Members = Record<string, (value: unknown) => boolean>;
const isText = (value: unknown) => typeof value === "string" && value !== "" && value.length <= 200;
const isUuid = (value: unknown) =>
  typeof value === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
const isHash = (value: unknown) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const hasMembers = (value: unknown, members: Members): value is Record<string, Json> =>
  typeof value === "object" &&
  value !== null &&
  Object.keys(value).length === Object.keys(members).length &&
  Object.entries(members).every(
    ([name, test]) => Object.hasOwn(value, name) && test((value as Record<string, unknown>)[name]),
  );
const anything = () => true;
const practiceLabels = { format: isText, practice: anything, backing: anything, world: anything };

/** A note's text and signature lines; null unless it has both. */
function split(note: string) {
  const index = note.lastIndexOf("\n\n");
  if (index < 0 || !note.endsWith("\n")) return null;
  const lines = note.slice(index + 2, -1).split("\n");
  const signatures = lines.map((line) => {
    const match = /^— ([^\s+]+) ([A-Za-z0-9+/=]+)$/.exec(line);
    const bytes = Buffer.from(match?.[2] ?? "", "base64");
    return match && bytes.length === 68 ? { name: match[1], bytes } : null;
  });
  return { text: note.slice(0, index + 1), signatures };
}

/** A canonical text as an object with exactly these members. */
function parseObject(text: string, format: string, members: Members): Record<string, Json> | null {
  try {
    const value = parseCanonical(Buffer.from(text, "utf8"));
    return hasMembers(value, members) && value.format === format ? value : null;
  } catch {
    return null;
  }
}

/** The only line of a note, with its practice labels. */
function parseLine(text: string, format: string, members: Members): Record<string, Json> | null {
  const value = text.endsWith("\n") ? parseObject(text.slice(0, -1), format, members) : null;
  return value && hasPracticeLabels(value) ? value : null;
}

const hasPracticeLabels = (value: Record<string, Json>) =>
  value.practice === true && value.backing === "none" && isText(value.world);

function isSigned(note: ReturnType<typeof split>, key: VerifierKey): boolean {
  return (note?.signatures ?? []).some(
    (signature) =>
      signature !== null &&
      signature.name === key.name &&
      equalBytes(signature.bytes.subarray(0, 4), key.keyId) &&
      verifyEd25519(
        Buffer.from(note?.text ?? "", "utf8"),
        signature.bytes.subarray(4),
        key.publicKey,
      ),
  );
}

/** Reads a file of a kept acknowledgement and its promise, unverified. */
export function parseKept(value: unknown): {
  kept: KeptAcknowledgement;
  acknowledgement: Acknowledgement;
} {
  const malformed = (detail: string) =>
    new MismatchError("acknowledgement_form", "acknowledgement_malformed", detail);
  const sentAt = (time: unknown) => time === null || isCount(time);
  const callFields = { call: isText, key: isUuid, body_hash: isHash, at_ms: sentAt };
  const file: Members = {
    format: (format) => format === formats.kept,
    practice: anything,
    backing: anything,
    acknowledgement: (value) =>
      hasMembers(value, {
        promise: (text) => typeof text === "string",
        index: isCount,
        path: (path) => Array.isArray(path) && path.length <= 64 && path.every(isHash),
        batch: (note) => typeof note === "string",
      }),
    certificate: (note) => note === null || typeof note === "string",
    sent: (value) => hasMembers(value, callFields),
  };
  if (!hasMembers(value, file)) throw malformed("the file");
  if (value.practice !== true || value.backing !== "none")
    throw new MismatchError("acknowledgement_form", "not_practice");
  const keptAcknowledgement = value as unknown as KeptAcknowledgement;
  const promise = parseObject(
    keptAcknowledgement.acknowledgement.promise,
    formats.acknowledgement,
    {
      ...practiceLabels,
      log: isText,
      call: isText,
      key: isUuid,
      body_hash: isHash,
      id: isUuid,
      hash: (hash) => hash === null || isHash(hash),
      accepted_at_ms: isCount,
      due_at_ms: isCount,
      tree: (tree) => hasMembers(tree, { size: isCount, root: isHash }),
    },
  );
  if (!promise) throw malformed("the promise");
  if (!hasPracticeLabels(promise)) throw new MismatchError("acknowledgement_form", "not_practice");
  return { kept: keptAcknowledgement, acknowledgement: promise as unknown as Acknowledgement };
}

/** Step 2: the log's key certifies the key that signed the promise. */
function checkKey(
  { kept, acknowledgement }: ReturnType<typeof parseKept>,
  log: AcknowledgedLog,
): void {
  const unknownKey = (detail: string) =>
    new MismatchError("acknowledgement_key", "acknowledgement_key_unknown", detail);
  if (acknowledgement.log !== log.origin) throw unknownKey(`it is of ${acknowledgement.log}`);
  const certificate = split(kept.certificate ?? "");
  const trusted = log.vkeys.some((vkey) => isSigned(certificate, parseVerifierKey(vkey)));
  if (!certificate || !trusted) throw unknownKey("no key of the log certifies its key");
  const line = parseLine(certificate.text, formats.key, {
    ...practiceLabels,
    log: isText,
    vkey: isText,
  });
  if (line?.world !== acknowledgement.world || line.log !== acknowledgement.log)
    throw unknownKey("the certificate is of something else");
  const key = parseVerifierKey(line.vkey as string);
  if (key.name !== `${acknowledgement.log}/acknowledgements`)
    throw unknownKey(`its name is ${key.name}`);
  if (!isInBatch(kept, acknowledgement, key))
    throw new MismatchError("acknowledgement_key", "acknowledgement_signature_wrong");
}

/** Returns true if the key signed a batch of this world and log that the promise is in. */
function isInBatch(
  { acknowledgement: acknowledgementFile }: KeptAcknowledgement,
  acknowledgement: Acknowledgement,
  key: VerifierKey,
) {
  const note = split(acknowledgementFile.batch);
  if (!note || !isSigned(note, key)) return false;
  const members = { ...practiceLabels, log: isText, count: isCount, root: isHash };
  const line = parseLine(note.text, formats.batch, members);
  if (line?.world !== acknowledgement.world || line.log !== acknowledgement.log) return false;
  const entry = leafHash(Buffer.from(acknowledgementFile.promise, "utf8"));
  const path = acknowledgementFile.path.map(fromHex);
  return provesInclusion(
    acknowledgementFile.index,
    line.count as number,
    entry,
    path,
    fromHex(line.root as string),
  );
}

/**
 * Steps 1 to 6. Resolves with a sentence for each; rejects with a MismatchError that says how the
 * promise was broken, or why it is not a valid one.
 */
export async function checkAcknowledgement(
  value: unknown,
  log: AcknowledgedLog,
): Promise<{ acknowledgement: Acknowledgement; boundLeaf: number | null; steps: ReportedStep[] }> {
  const parsedFile = parseKept(value);
  const { kept, acknowledgement } = parsedFile;
  const world = decodeWorld(await log.leaf(0));
  if (acknowledgement.world !== world.name)
    throw new MismatchError("acknowledgement_form", "not_practice", `the world is ${world.name}`);
  checkKey(parsedFile, log);
  const { call, key, body_hash: body } = kept.sent;
  if (
    call !== acknowledgement.call ||
    key !== acknowledgement.key ||
    body !== acknowledgement.body_hash
  )
    throw new MismatchError("acknowledgement_sent", "acknowledged_otherwise", acknowledgement.call);
  const onTheWay = checkSentAt(parsedFile, world.market.speed);
  const allowance = (acknowledgement.hash === null ? 300_000 : 10_000) * world.market.speed;
  const dueMs = Math.ceil((acknowledgement.accepted_at_ms + allowance) / 1000) * 1000;
  if (dueMs !== acknowledgement.due_at_ms)
    throw new MismatchError("acknowledgement_due", "acknowledged_due_differs", formatTime(dueMs));
  await checkTree(acknowledgement, log);
  const steps = [
    {
      step: "promise",
      message: `Accepted ${acknowledgement.call} as ${acknowledgement.id}, signed for ${log.origin}.`,
    },
    {
      step: "sent",
      message: `It is over your own key ${acknowledgement.key} and what you sent. ${onTheWay}`,
    },
    {
      step: "tree",
      message: `The log continues the ${acknowledgement.tree.size} leaves that it had then.`,
    },
  ];
  if (acknowledgement.hash === null) {
    const message = `No second binds it: compare it with the receipt of journal ${acknowledgement.id}, due by ${formatTime(dueMs)}.`;
    return { acknowledgement, boundLeaf: null, steps: [...steps, { step: "open", message }] };
  }
  const boundLeaf = await findBound(acknowledgement, acknowledgement.hash, log);
  const message =
    boundLeaf === null
      ? `OPEN: the log has no second after ${formatTime(acknowledgement.accepted_at_ms)} yet; it is due by ${formatTime(dueMs)}.`
      : `Kept: leaf ${boundLeaf} binds its hash, due by ${formatTime(dueMs)}.`;
  steps.push({ step: boundLeaf === null ? "open" : "bound", message });
  return { acknowledgement, boundLeaf: boundLeaf, steps };
}

/** Step 3: the call was accepted when it arrived, if the sender recorded when they sent it. */
function checkSentAt({ kept, acknowledgement }: ReturnType<typeof parseKept>, speed: number) {
  const { at_ms: sentAt } = kept.sent;
  if (sentAt === null)
    return "You noted no time of sending it, so that of acceptance is not compared.";
  const seconds = (acknowledgement.accepted_at_ms - sentAt) / speed / 1_000;
  if (seconds > 5)
    throw new MismatchError(
      "acknowledgement_sent",
      "acknowledged_held_up",
      `accepted ${seconds} s of real time after you sent it, by your own clock`,
    );
  return "It was accepted within five seconds of your sending it.";
}

const formatTime = (ms: number): string => new Date(ms).toISOString();

async function checkTree({ tree }: Acknowledgement, log: AcknowledgedLog): Promise<void> {
  const mismatch = (detail: string) =>
    new MismatchError("acknowledgement_tree", "acknowledged_tree_differs", detail);
  if (tree.size > log.size) throw mismatch(`the log shrank from ${tree.size} to ${log.size}`);
  try {
    await log.continues({ size: tree.size, root: fromHex(tree.root) });
  } catch (error) {
    if (!(error instanceof MismatchError)) throw error;
    throw mismatch(error.detail);
  }
}

/** Step 6: the leaf that binds the hash; null while there is no second after the acceptance. */
async function findBound(
  acknowledgement: Acknowledgement,
  hash: string,
  log: AcknowledgedLog,
): Promise<number | null> {
  const step = "acknowledgement_bound";
  const tag = worldTag(acknowledgement.world);
  const end = Math.min(log.size, acknowledgement.tree.size + leavesMax);
  let last = Number.NEGATIVE_INFINITY;
  for (let index = acknowledgement.tree.size; index < end; index++) {
    const second = findSecond(await log.leaf(index), tag, index);
    if (second === null) continue;
    if (second.secondMs <= last)
      throw new MismatchError(step, "seconds_not_ascending", `leaf ${index}`);
    last = second.secondMs;
    if (second.secondMs < acknowledgement.accepted_at_ms) continue;
    if ((await getHashes(index, second, log)).includes(hash)) {
      if (second.secondMs <= acknowledgement.due_at_ms) return index;
      throw new MismatchError(
        step,
        "acknowledged_bound_late",
        `leaf ${index} is of ${formatTime(second.secondMs)}, it was due by ${formatTime(acknowledgement.due_at_ms)}`,
      );
    }
    if (second.secondMs > acknowledgement.accepted_at_ms)
      throw new MismatchError(
        step,
        "acknowledged_not_bound",
        `leaf ${index} of ${formatTime(second.secondMs)} had to bind what was accepted at ${formatTime(acknowledgement.accepted_at_ms)}`,
      );
  }
  return null;
}

/** The second of a leaf; null for one of another kind. */
function findSecond(entry: Uint8Array, tag: Uint8Array, index: number): Second | null {
  try {
    return readKind(entry, tag) === kinds.second ? decodeSecond(entry, tag) : null;
  } catch (error) {
    if (!(error instanceof MismatchError)) throw error;
    throw new MismatchError("acknowledgement_bound", "leaf_unreadable", `leaf ${index}`);
  }
}

async function getHashes(index: number, second: Second, log: AcknowledgedLog): Promise<string[]> {
  if (second.ordersCount === 0) return [];
  const bytes = Buffer.from(await log.hashes(index));
  const count = bytes.length / 32;
  const indexes = Array.from({ length: Math.floor(count) }, (_, index) =>
    bytes.subarray(index * 32, index * 32 + 32),
  );
  const node = async (level: number, index: number): Promise<Uint8Array> =>
    level === 0
      ? leafHash(indexes[index] as Uint8Array)
      : nodeHash(await node(level - 1, 2 * index), await node(level - 1, 2 * index + 1));
  const rootAgrees =
    count === second.ordersCount && equalBytes(await rangeHash(0, count, node), second.ordersRoot);
  if (!rootAgrees)
    throw new MismatchError("acknowledgement_bound", "orders_hashes_differ", `of leaf ${index}`);
  return indexes.map(toHex);
}

interface ReceiptStatement {
  order?: { order_id?: unknown; accepted_at_ms?: unknown };
  lease?: { lease_id?: unknown; accepted_at_ms?: unknown };
  journal?: { id?: unknown; at_ms?: unknown; body_hash?: unknown };
  bound_leaf?: unknown;
}

/**
 * Step 7: a receipt of the same id states the promised content. Null for a receipt of another id.
 */
export function compareReceipt(acknowledgement: Acknowledgement, value: unknown): string | null {
  const { order, lease, journal, bound_leaf: boundLeaf } = value as ReceiptStatement;
  const subject = order ?? lease;
  const mismatch = (message: string) =>
    new MismatchError("acknowledgement_receipt", "acknowledgement_differs", message);
  if (subject) {
    if ((order ? order.order_id : lease?.lease_id) !== acknowledgement.id) return null;
    const hash = toHex(sha256(canonicalBytes(subject)));
    if (hash !== acknowledgement.hash)
      throw mismatch(`it promises ${acknowledgement.hash}, the receipt has ${hash}`);
    if (subject.accepted_at_ms !== acknowledgement.accepted_at_ms)
      throw mismatch("the time of acceptance");
    if (!isAskedFor(acknowledgement, subject as Record<string, unknown>))
      throw mismatch("what was asked for");
    if (typeof boundLeaf !== "number" || boundLeaf < acknowledgement.tree.size)
      throw new MismatchError(
        "acknowledgement_receipt",
        "acknowledged_bound_before",
        `leaf ${String(boundLeaf)} was in the log when it was accepted`,
      );
  } else {
    if (journal?.id !== acknowledgement.id) return null;
    if (journal.at_ms !== acknowledgement.accepted_at_ms) throw mismatch("the time of the journal");
    if (journal.body_hash !== acknowledgement.body_hash) throw mismatch("what was asked for");
  }
  return `The receipt states what was promised for ${acknowledgement.id}.`;
}
