import type { AuditHead, ChainMismatch } from "#core/operator/auditChain.ts";
import {
  type ActReceipt,
  type AuditMismatch,
  actReceiptFormat,
  type PublicationReceipt,
  publicationReceiptFormat,
} from "#core/operator/auditReceipt.ts";
import {
  type CommittedEvent,
  eventCommitment,
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
import { bytesToHex, hexToBytes } from "#core/transparency-log/bytes.ts";
import { encodeVkey } from "#core/transparency-log/checkpoint.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { bindOrders, encodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { encodeWorld } from "#core/transparency-log/worldLeaf.ts";
import { startMs, world } from "./contractLog.ts";
import { vectorKey, vectorOrigin } from "./log.ts";

/** The audit chain: a log with acts and published texts, receipts of both, and falsified ones. */
const tag = worldTag(world.world);
const person = "person-00000000000000001";
const operator = "operator-000000000000001";
const post = "01900000-0000-8000-8000-000000000001";
const salt = (number: number) => number.toString(16).padStart(2, "0").repeat(32);

const createNews = (title: string) => ({
  languages: {
    en: { title, summary: "What is new", body: "Nothing else.\n" },
    ja: { title: "お知らせ", summary: "新しいこと", body: "以上です。\n" },
  },
});

const quiet = { target: null, touches: null, why: null, details: null };
const signUp = { from: "open", to: "class_links" };
const acts: Record<string, CommittedEvent> = {
  claimed: { ...quiet, what: "operators.claimed", operator, role: "owner", target: operator },
  found: { ...quiet, what: "people.found", operator, role: "owner", touches: person },
  suspended: {
    ...quiet,
    what: "people.suspended",
    operator,
    role: "owner",
    touches: person,
    why: "They asked for it \u{1f642}",
    details: { "sessions ended": 2 },
  },
  signUp: { ...quiet, what: "class.sign_up_changed", operator, role: "owner", details: signUp },
};

type ChainedLeaves = Record<string, { leaf: number; before: number | null; atMs: number }>;

/** A log of seconds with the given records in between, each followed by two seconds. */
function createLog(records: readonly (readonly [string, AuditRecord])[]) {
  const entries: Uint8Array[] = [encodeWorld(world)];
  const places: ChainedLeaves = {};
  let head: AuditHead | null = null;
  const addSeconds = () => {
    for (let count = 0; count < 2; count += 1) {
      const secondMs = startMs + entries.length * 1_000;
      const none = { quotes: [[], []].map(() => [null, null, null]), index: [null, null] };
      entries.push(encodeSecond({ secondMs, ...none, ...bindOrders([]) }, tag));
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

function auditEventRecord(
  act: CommittedEvent,
  number: number,
  shown = !isPrivateEvent(act),
): AuditRecord {
  const { what, role } = act;
  const details = what === "class.sign_up_changed" ? act.details : null;
  return {
    type: "act",
    act: shown ? { what, role, target: null, details } : null,
    commitment: eventCommitment(world.world, hexToBytes(salt(number)), act),
  };
}

function newsRecord(
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

const records: [string, AuditRecord][] = [
  ["claimed", auditEventRecord(acts.claimed!, 1)],
  ["first edition", newsRecord(1, "published")],
  ["found", auditEventRecord(acts.found!, 2)],
  ["suspended", auditEventRecord(acts.suspended!, 3)],
  ["second edition", newsRecord(2, "published")],
  ["sign-up", auditEventRecord(acts.signUp!, 4)],
  ["withdrawn", newsRecord(2, "withdrawn")],
];
const log = createLog(records);

const outer = {
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

function actReceipt(name: string, act: CommittedEvent, number: number, from = log): ActReceipt {
  const { atMs, ...place } = getPlace(name, from);
  return { format: actReceiptFormat, ...outer, ...place, at_ms: atMs, salt: salt(number), act };
}

function newsReceipt(name: string, version: number, from = log): PublicationReceipt {
  const { atMs, ...place } = getPlace(name, from);
  return {
    format: publicationReceiptFormat,
    ...outer,
    ...place,
    publication: post,
    kind: "news",
    subject: null,
    version,
    published_at_ms: atMs,
    body: createNews(`Edition ${version}`),
  };
}

const honest = {
  "a search for a person, without a reason": actReceipt("found", acts.found!, 2),
  "a person is suspended, with a reason": actReceipt("suspended", acts.suspended!, 3),
  "a switch": actReceipt("sign-up", acts.signUp!, 4),
  "the first leaf of the chain": actReceipt("claimed", acts.claimed!, 1),
  "the first edition of a text": newsReceipt("first edition", 1),
  "the second edition of a text": newsReceipt("second edition", 2),
};

interface FalsifiedVector {
  name: string;
  difference: AuditMismatch;
  receipt: unknown;
  /** The log, where it is another than the honest one. */
  log?: ReturnType<typeof createLog>;
}

const suspended = honest["a person is suspended, with a reason"];
const news = honest["the second edition of a text"];
const changeEvent = (change: Partial<CommittedEvent>) => ({
  ...suspended,
  act: { ...suspended.act, ...change },
});

function falsifiedReceipts(): FalsifiedVector[] {
  const openly = createLog(
    records.map(([name, record]) =>
      name === "suspended" ? [name, auditEventRecord(acts.suspended!, 3, true)] : [name, record],
    ),
  );
  const silently = createLog(
    records.map(([name, record]) =>
      name === "sign-up" ? [name, auditEventRecord(acts.signUp!, 4, false)] : [name, record],
    ),
  );
  const claimedOpenly = createLog(
    records.map(([name, record]) =>
      name === "claimed" ? [name, auditEventRecord(acts.claimed!, 1, true)] : [name, record],
    ),
  );
  const otherValue = createLog(
    records.map(([name, record]) =>
      name === "sign-up" && record.type === "act"
        ? [name, { ...record, act: { ...record.act!, details: { ...signUp, to: "closed" } } }]
        : [name, record],
    ),
  );
  const broken = { ...log, entries: log.entries.with(log.places.found!.leaf, log.entries[1]!) };
  const relinked = { ...log, entries: log.entries.with(log.places.found!.leaf, other("found")) };
  return [
    falsified("another reason", "commitment_differs", changeEvent({ why: "They broke a rule" })),
    falsified("another operator", "commitment_differs", changeEvent({ operator: person })),
    falsified("another role", "commitment_differs", changeEvent({ role: "support" })),
    falsified("another act", "commitment_differs", changeEvent({ what: "people.resumed" })),
    falsified("another person", "commitment_differs", changeEvent({ touches: operator })),
    falsified(
      "a milder detail",
      "commitment_differs",
      changeEvent({ details: { "sessions ended": 0 } }),
    ),
    falsified("another salt", "commitment_differs", { ...suspended, salt: salt(9) }),
    falsified("another time", "act_time_differs", {
      ...suspended,
      at_ms: suspended.at_ms - 60_000,
    }),
    falsified("a second as the leaf", "act_not_in_log", { ...suspended, leaf: suspended.leaf + 1 }),
    falsified("a text as the leaf", "act_not_in_log", { ...suspended, leaf: news.leaf }),
    falsified("a leaf earlier in the chain", "audit_chain_broken", {
      ...suspended,
      before_leaf: 3,
    }),
    falsified("first of the chain", "audit_chain_broken", { ...suspended, before_leaf: null }),
    falsified("nothing before it", "audit_chain_broken", suspended, broken),
    falsified("another before it", "audit_chain_broken", suspended, relinked),
    falsified(
      "a touching act in public",
      "public_part_differs",
      actReceipt("suspended", acts.suspended!, 3, openly),
      openly,
    ),
    ...falsifiedPublicParts(),
    ...falsifiedOrder(),
    falsified("another subject", "publication_not_in_log", { ...news, subject: "BTC/USDT" }),
    falsified(
      "an operator's own matter in public",
      "public_part_differs",
      actReceipt("claimed", acts.claimed!, 1, claimedOpenly),
      claimedOpenly,
    ),
    falsified(
      "a switch in secret",
      "public_part_differs",
      actReceipt("sign-up", acts.signUp!, 4, silently),
      silently,
    ),
    falsified(
      "a switch to another value",
      "public_part_differs",
      actReceipt("sign-up", acts.signUp!, 4, otherValue),
      otherValue,
    ),
    falsified("an act that is no practice", "not_practice", { ...suspended, practice: false }),
    falsified("another world", "world_differs", { ...suspended, world: "other" }),
    falsified("another market", "market_differs", {
      ...suspended,
      market: { kind: "live", speed: 1 },
    }),
    falsified("a further member", "receipt_malformed", { ...suspended, more: 1 }),
    falsified("no reason, but an empty one", "receipt_malformed", changeEvent({ why: "" })),
    falsified("another text", "text_differs", { ...news, body: createNews("Edition 2!") }),
    falsified("a text in fewer languages", "text_differs", {
      ...news,
      body: { languages: { en: createNews("Edition 2").languages.en } },
    }),
    falsified("the older text as the newer", "text_differs", {
      ...news,
      body: createNews("Edition 1"),
    }),
    falsified("another version", "publication_not_in_log", { ...news, version: 3 }),
    falsified("another publication", "publication_not_in_log", { ...news, publication: person }),
    falsified("another kind", "publication_not_in_log", { ...news, kind: "notice" }),
    falsified("a withdrawal as the leaf", "publication_not_in_log", {
      ...news,
      leaf: log.places.withdrawn!.leaf,
    }),
    falsified("an act as the leaf", "publication_not_in_log", { ...news, leaf: suspended.leaf }),
    falsified("published at another time", "publication_time_differs", {
      ...news,
      published_at_ms: 1,
    }),
    falsified("a text of another chain", "audit_chain_broken", { ...news, before_leaf: 3 }),
    falsified("a text that is no practice", "not_practice", { ...news, backing: "gold" }),
    falsified("a text with a fraction", "receipt_malformed", {
      ...news,
      body: { ...news.body, more: 0.5 },
    }),
    falsifiedLanguages(),
  ];
}

/** A switch whose leaf says something else of it than the opening. */
function falsifiedPublicParts(): FalsifiedVector[] {
  const changes = {
    act: { what: "class.announced" },
    role: { role: "support" },
    target: { target: post },
  };
  return Object.entries(changes).map(([member, change]) => {
    const from = createLog(
      records.map(([name, record]) =>
        name === "sign-up" && record.type === "act"
          ? [name, { ...record, act: { ...record.act!, ...change } }]
          : [name, record],
      ),
    );
    const receipt = actReceipt("sign-up", acts.signUp!, 4, from);
    return falsified(
      `a switch with another ${member} in public`,
      "public_part_differs",
      receipt,
      from,
    );
  });
}

/**
 * Two acts of which the later stands first and names the other, and one whose number leaves one
 * out: their hashes are right.
 */
function swapOrder() {
  const short = createLog(records.slice(0, 3));
  const [index, behind] = [short.places["first edition"]!.leaf, short.places.found!.leaf];
  const encode = (seq: number, before: number, previous: string, record: AuditRecord) =>
    encodeAudit({ world: world.world, seq, before, previous, atMs: startMs + behind, record });
  const first = short.places.claimed!.leaf;
  const start = auditHash(short.entries[first]!);
  const earlier = encode(2, first, start, records[1]![1]);
  const later = encode(3, behind, auditHash(earlier), auditEventRecord(acts.found!, 2));
  const skipping = encode(
    4,
    index,
    auditHash(short.entries[index]!),
    auditEventRecord(acts.found!, 2),
  );
  return {
    swapped: {
      ...short,
      entries: short.entries.with(index, later).with(behind, earlier),
      head: { leaf: index, seq: 3, hash: auditHash(later) },
      receipt: { ...actReceipt("found", acts.found!, 2), leaf: index, before_leaf: behind },
    },
    skipped: {
      ...short,
      entries: short.entries.with(behind, skipping),
      head: { leaf: behind, seq: 4, hash: auditHash(skipping) },
      receipt: { ...actReceipt("found", acts.found!, 2), leaf: behind, before_leaf: index },
    },
    atMs: startMs + behind,
  };
}

function falsifiedOrder(): FalsifiedVector[] {
  const { swapped, skipped, atMs } = swapOrder();
  return [
    falsified(
      "the one before it stands behind it",
      "audit_chain_broken",
      { ...swapped.receipt, at_ms: atMs },
      swapped,
    ),
    falsified(
      "a number is left out",
      "audit_chain_broken",
      { ...skipped.receipt, at_ms: atMs },
      skipped,
    ),
  ];
}

const falsified = (
  name: string,
  difference: AuditMismatch,
  receipt: unknown,
  from?: FalsifiedVector["log"],
): FalsifiedVector => ({ name, difference, receipt, ...(from ? { log: from } : {}) });

/** The leaf of this name as another operator's act in its place. */
function other(name: string): Uint8Array {
  const index = records.findIndex(([one]) => one === name);
  const changed = records.with(index, [name, auditEventRecord(acts.found!, 8)]);
  return createLog(changed).entries[log.places[name]!.leaf]!;
}

function falsifiedLanguages(): FalsifiedVector {
  const incomplete = createLog(
    records.map(([name, record]) =>
      name === "second edition"
        ? [name, { ...record, languages: ["en"] } as AuditRecord]
        : [name, record],
    ),
  );
  return falsified(
    "a leaf that leaves out a language",
    "languages_differ",
    newsReceipt("second edition", 2, incomplete),
    incomplete,
  );
}

interface ChainCase {
  name: string;
  head: AuditHead | null;
  entries: Uint8Array[];
  difference: ChainMismatch | null;
}

function chains(): ChainCase[] {
  const { head, places, entries } = log;
  const before = createLog(records.slice(0, -1)).head;
  const without = (name: string) => entries.with(places[name]!.leaf, entries[1]!);
  const skipped = createLog(records.filter(([name]) => name !== "second edition"));
  const twice = createLog([...records, ["withdrawn again", newsRecord(2, "withdrawn")]]);
  const otherText = createLog(records.with(-1, ["withdrawn", newsRecord(2, "withdrawn", "Other")]));
  const none = { entries: createLog([]).entries, head: null };
  const one = (name: string, difference: ChainCase["difference"], change: Partial<ChainCase>) => ({
    name,
    head,
    entries,
    difference,
    ...change,
  });
  return [
    one("the whole chain", null, {}),
    one("no chain", null, none),
    one("the head is told of an earlier state", "audit_tail_cut", { head: before }),
    one("no head is told although there is a chain", "audit_tail_cut", { head: null }),
    one("another hash of the head", "audit_head_differs", { head: { ...head, hash: salt(1) } }),
    one("another number of the head", "audit_head_differs", { head: { ...head, seq: 9 } }),
    one("a second as the head", "audit_head_differs", { head: { ...head, leaf: head.leaf + 1 } }),
    one("an act is taken out", "audit_chain_broken", { entries: without("found") }),
    one("an act is replaced", "audit_chain_broken", {
      entries: entries.with(places.found!.leaf, other("found")),
    }),
    one("the one before an act stands behind it", "audit_chain_broken", swapOrder().swapped),
    one("a number is left out", "audit_chain_broken", swapOrder().skipped),
    one("a version is left out", "publication_versions_differ", skipped),
    one("withdrawn twice", "publication_versions_differ", twice),
    one("another text is withdrawn", "publication_versions_differ", otherText),
  ];
}

const toHex = (entries: readonly Uint8Array[]) => entries.map(bytesToHex);

/** Entries that differ from those of the honest log, by index; those from `keep` on are gone. */
function getChanges(entries: readonly Uint8Array[]) {
  const changed = toHex(entries).flatMap((hex, index) =>
    log.entries[index] && bytesToHex(log.entries[index]) === hex ? [] : [[index, hex] as const],
  );
  return { size: entries.length, changed: Object.fromEntries(changed) };
}

export function auditVectors() {
  return {
    about:
      "A log with acts of operators and published texts; receipts of them, falsified ones with what a check must find, and the chain with its told head, honest and falsified. Logs of falsified cases are told by their size and the entries that differ from the first, by index.",
    entries: toHex(log.entries),
    receipts: Object.entries(honest).map(([name, receipt]) => ({ name, receipt })),
    falsified: falsifiedReceipts().map(({ name, difference, receipt, log: other }) => ({
      name,
      difference,
      receipt,
      log: getChanges((other ?? log).entries),
    })),
    chains: chains().map(({ name, head, entries, difference }) => ({
      name,
      difference,
      head,
      log: getChanges(entries),
    })),
  };
}
