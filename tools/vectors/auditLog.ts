import type { AuditHead } from "#core/operator/auditChain.ts";
import {
  type ActReceipt,
  actReceiptFormat,
  type PublicationReceipt,
  publicationReceiptFormat,
} from "#core/operator/auditReceipt.ts";
import {
  type CommittedEvent,
  computeEventCommitment,
  isPrivateEvent,
  listLanguages,
  publishedTextHash,
} from "#core/operator/commitment.ts";
import {
  type AuditRecord,
  auditHash,
  auditStart,
  encodeAudit,
} from "#core/transparency-log/auditLeaf.ts";
import { hexToBytes } from "#core/transparency-log/bytes.ts";
import { encodeVkey } from "#core/transparency-log/checkpoint.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { bindOrders, encodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { encodeWorld } from "#core/transparency-log/worldLeaf.ts";
import { startMs, world } from "./contractLog.ts";
import { vectorKey, vectorOrigin } from "./log.ts";

/** The audit chain: a log with acts and published texts, receipts of both, and falsified ones. */
const tag = worldTag(world.world);
export const person = "person-00000000000000001";
export const operator = "operator-000000000000001";
export const post = "01900000-0000-8000-8000-000000000001";
export const createSalt = (number: number) => number.toString(16).padStart(2, "0").repeat(32);

export const createNews = (title: string) => ({
  languages: {
    en: { title, summary: "What is new", body: "Nothing else.\n" },
    ja: { title: "お知らせ", summary: "新しいこと", body: "以上です。\n" },
  },
});

const noDetails = { target: null, touches: null, why: null, details: null };
export const signUp = { from: "open", to: "class_links" };
export const acts: Record<string, CommittedEvent> = {
  claimed: { ...noDetails, what: "operators.claimed", operator, role: "owner", target: operator },
  found: { ...noDetails, what: "people.found", operator, role: "owner", touches: person },
  suspended: {
    ...noDetails,
    what: "people.suspended",
    operator,
    role: "owner",
    touches: person,
    why: "They asked for it \u{1f642}",
    details: { "sessions ended": 2 },
  },
  signUp: { ...noDetails, what: "class.sign_up_changed", operator, role: "owner", details: signUp },
};

type ChainedLeaves = Record<string, { leaf: number; before: number | null; atMs: number }>;

/** A log of seconds with the given records in between, each followed by two seconds. */
export function createLog(records: readonly (readonly [string, AuditRecord])[]) {
  const entries: Uint8Array[] = [encodeWorld(world)];
  const places: ChainedLeaves = {};
  let head: AuditHead | null = null;
  const addSeconds = () => {
    for (let count = 0; count < 2; count += 1) {
      const secondMs = startMs + entries.length * 1_000;
      const emptySecond = { quotes: [[], []].map(() => [null, null, null]), index: [null, null] };
      entries.push(encodeSecond({ secondMs, ...emptySecond, ...bindOrders([]) }, tag));
    }
  };
  addSeconds();
  for (const [name, record] of records) {
    const before: number | null = head?.leaf ?? null;
    const previous: string = head?.hash ?? auditStart;
    const leaf = entries.length;
    const seq: number = (head?.seq ?? 0) + 1;
    const atMs = startMs + leaf;
    const bytes = encodeAudit({ world: world.world, seq, before, previous, atMs, record });
    entries.push(bytes);
    places[name] = { leaf, before, atMs };
    head = { leaf, seq, hash: auditHash(bytes) };
    addSeconds();
  }
  return { entries, places, head: head! };
}

export function createAuditEventRecord(
  act: CommittedEvent,
  number: number,
  isPublic = !isPrivateEvent(act),
): AuditRecord {
  const { what, role } = act;
  const details = what === "class.sign_up_changed" ? act.details : null;
  return {
    type: "act",
    act: isPublic ? { what, role, target: null, details } : null,
    commitment: computeEventCommitment(world.world, hexToBytes(createSalt(number)), act),
  };
}

export function createNewsRecord(
  version: number,
  state: "published" | "withdrawn",
  title = `Edition ${version}`,
): AuditRecord {
  const body = createNews(title);
  return {
    type: "publication",
    publication: post,
    kind: "news",
    subject: null,
    version,
    state,
    text: publishedTextHash(world.world, "news", body),
    languages: listLanguages(body),
  };
}

export const records: [string, AuditRecord][] = [
  ["claimed", createAuditEventRecord(acts.claimed!, 1)],
  ["first edition", createNewsRecord(1, "published")],
  ["found", createAuditEventRecord(acts.found!, 2)],
  ["suspended", createAuditEventRecord(acts.suspended!, 3)],
  ["second edition", createNewsRecord(2, "published")],
  ["sign-up", createAuditEventRecord(acts.signUp!, 4)],
  ["withdrawn", createNewsRecord(2, "withdrawn")],
];
export const log = createLog(records);

const createHeader = {
  practice: true,
  backing: "none",
  world: world.world,
  market: world.market,
  log: { origin: vectorOrigin, vkey: encodeVkey(vectorKey) },
} as const;

function getPlace(name: string, { places }: ReturnType<typeof createLog>) {
  const { leaf, before, atMs } = places[name]!;
  return { leaf, before_leaf: before, atMs };
}

export function createActReceipt(
  name: string,
  act: CommittedEvent,
  number: number,
  from = log,
): ActReceipt {
  const { atMs, ...place } = getPlace(name, from);
  return {
    format: actReceiptFormat,
    ...createHeader,
    ...place,
    at_ms: atMs,
    salt: createSalt(number),
    act,
  };
}

export function createNewsReceipt(name: string, version: number, from = log): PublicationReceipt {
  const { atMs, ...place } = getPlace(name, from);
  return {
    format: publicationReceiptFormat,
    ...createHeader,
    ...place,
    publication: post,
    kind: "news",
    subject: null,
    version,
    published_at_ms: atMs,
    body: createNews(`Edition ${version}`),
  };
}

export const genuineReceipts = {
  "a search for a person, without a reason": createActReceipt("found", acts.found!, 2),
  "a person is suspended, with a reason": createActReceipt("suspended", acts.suspended!, 3),
  "a switch": createActReceipt("sign-up", acts.signUp!, 4),
  "the first leaf of the chain": createActReceipt("claimed", acts.claimed!, 1),
  "the first edition of a text": createNewsReceipt("first edition", 1),
  "the second edition of a text": createNewsReceipt("second edition", 2),
};
