import type { AuditMismatch } from "#core/operator/auditReceipt.ts";
import type { CommittedEvent } from "#core/operator/commitment.ts";
import { type AuditRecord, auditHash, encodeAudit } from "#core/transparency-log/auditLeaf.ts";
import {
  acts,
  createActReceipt,
  createAuditEventRecord,
  createLog,
  createNews,
  createNewsReceipt,
  createSalt,
  genuineReceipts,
  log,
  operator,
  person,
  post,
  records,
  signUp,
} from "./auditLog.ts";
import { startMs, world } from "./contractLog.ts";

interface FalsifiedVector {
  name: string;
  difference: AuditMismatch;
  receipt: unknown;
  /** The log, if it is not the honest one. */
  log?: ReturnType<typeof createLog>;
}

const suspended = genuineReceipts["a person is suspended, with a reason"];
const news = genuineReceipts["the second edition of a text"];
const changeEvent = (change: Partial<CommittedEvent>) => ({
  ...suspended,
  act: { ...suspended.act, ...change },
});

export function createFalsifiedReceipts(): FalsifiedVector[] {
  const publicSuspension = createLog(
    records.map(([name, record]) =>
      name === "suspended"
        ? [name, createAuditEventRecord(acts.suspended!, 3, true)]
        : [name, record],
    ),
  );
  const privateSignUp = createLog(
    records.map(([name, record]) =>
      name === "sign-up" ? [name, createAuditEventRecord(acts.signUp!, 4, false)] : [name, record],
    ),
  );
  const publicClaim = createLog(
    records.map(([name, record]) =>
      name === "claimed" ? [name, createAuditEventRecord(acts.claimed!, 1, true)] : [name, record],
    ),
  );
  const otherValue = createLog(
    records.map(([name, record]) =>
      name === "sign-up" && record.type === "act"
        ? [name, { ...record, act: { ...record.act!, details: { ...signUp, to: "closed" } } }]
        : [name, record],
    ),
  );
  const brokenLog = { ...log, entries: log.entries.with(log.places.found!.leaf, log.entries[1]!) };
  const relinkedLog = {
    ...log,
    entries: log.entries.with(log.places.found!.leaf, createOtherAct("found")),
  };
  return [
    createFalsified(
      "another reason",
      "commitment_differs",
      changeEvent({ why: "They broke a rule" }),
    ),
    createFalsified("another operator", "commitment_differs", changeEvent({ operator: person })),
    createFalsified("another role", "commitment_differs", changeEvent({ role: "support" })),
    createFalsified("another act", "commitment_differs", changeEvent({ what: "people.resumed" })),
    createFalsified("another person", "commitment_differs", changeEvent({ touches: operator })),
    createFalsified(
      "a milder detail",
      "commitment_differs",
      changeEvent({ details: { "sessions ended": 0 } }),
    ),
    createFalsified("another salt", "commitment_differs", { ...suspended, salt: createSalt(9) }),
    createFalsified("another time", "act_time_differs", {
      ...suspended,
      at_ms: suspended.at_ms - 60_000,
    }),
    createFalsified("a second as the leaf", "act_not_in_log", {
      ...suspended,
      leaf: suspended.leaf + 1,
    }),
    createFalsified("a text as the leaf", "act_not_in_log", { ...suspended, leaf: news.leaf }),
    createFalsified("a leaf earlier in the chain", "audit_chain_broken", {
      ...suspended,
      before_leaf: 3,
    }),
    createFalsified("first of the chain", "audit_chain_broken", {
      ...suspended,
      before_leaf: null,
    }),
    createFalsified("nothing before it", "audit_chain_broken", suspended, brokenLog),
    createFalsified("another before it", "audit_chain_broken", suspended, relinkedLog),
    createFalsified(
      "a touching act in public",
      "public_part_differs",
      createActReceipt("suspended", acts.suspended!, 3, publicSuspension),
      publicSuspension,
    ),
    ...falsifiedPublicParts(),
    ...falsifiedOrder(),
    createFalsified("another subject", "publication_not_in_log", { ...news, subject: "BTC/USDT" }),
    createFalsified(
      "an operator's own matter in public",
      "public_part_differs",
      createActReceipt("claimed", acts.claimed!, 1, publicClaim),
      publicClaim,
    ),
    createFalsified(
      "a switch in secret",
      "public_part_differs",
      createActReceipt("sign-up", acts.signUp!, 4, privateSignUp),
      privateSignUp,
    ),
    createFalsified(
      "a switch to another value",
      "public_part_differs",
      createActReceipt("sign-up", acts.signUp!, 4, otherValue),
      otherValue,
    ),
    createFalsified("an act that is no practice", "not_practice", {
      ...suspended,
      practice: false,
    }),
    createFalsified("another world", "world_differs", { ...suspended, world: "other" }),
    createFalsified("another market", "market_differs", {
      ...suspended,
      market: { kind: "live", speed: 1 },
    }),
    createFalsified("a further member", "receipt_malformed", { ...suspended, more: 1 }),
    createFalsified("no reason, but an empty one", "receipt_malformed", changeEvent({ why: "" })),
    createFalsified("another text", "text_differs", { ...news, body: createNews("Edition 2!") }),
    createFalsified("a text in fewer languages", "text_differs", {
      ...news,
      body: { languages: { en: createNews("Edition 2").languages.en } },
    }),
    createFalsified("the older text as the newer", "text_differs", {
      ...news,
      body: createNews("Edition 1"),
    }),
    createFalsified("another version", "publication_not_in_log", { ...news, version: 3 }),
    createFalsified("another publication", "publication_not_in_log", {
      ...news,
      publication: person,
    }),
    createFalsified("another kind", "publication_not_in_log", { ...news, kind: "notice" }),
    createFalsified("a withdrawal as the leaf", "publication_not_in_log", {
      ...news,
      leaf: log.places.withdrawn!.leaf,
    }),
    createFalsified("an act as the leaf", "publication_not_in_log", {
      ...news,
      leaf: suspended.leaf,
    }),
    createFalsified("published at another time", "publication_time_differs", {
      ...news,
      published_at_ms: 1,
    }),
    createFalsified("a text of another chain", "audit_chain_broken", { ...news, before_leaf: 3 }),
    createFalsified("a text that is no practice", "not_practice", { ...news, backing: "gold" }),
    createFalsified("a text with a fraction", "receipt_malformed", {
      ...news,
      body: { ...news.body, more: 0.5 },
    }),
    falsifiedLanguages(),
  ];
}

/** A switch whose leaf contradicts its opening. */
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
    const receipt = createActReceipt("sign-up", acts.signUp!, 4, from);
    return createFalsified(
      `a switch with another ${member} in public`,
      "public_part_differs",
      receipt,
      from,
    );
  });
}

/**
 * Two acts in reverse order, where the first refers to the second, and an act whose number skips
 * one; all hashes are correct.
 */
export function swapOrder() {
  const short = createLog(records.slice(0, 3));
  const [index, behind] = [short.places["first edition"]!.leaf, short.places.found!.leaf];
  const encode = (seq: number, before: number, previous: string, record: AuditRecord) =>
    encodeAudit({ world: world.world, seq, before, previous, atMs: startMs + behind, record });
  const first = short.places.claimed!.leaf;
  const start = auditHash(short.entries[first]!);
  const earlierEntry = encode(2, first, start, records[1]![1]);
  const laterEntry = encode(
    3,
    behind,
    auditHash(earlierEntry),
    createAuditEventRecord(acts.found!, 2),
  );
  const skipping = encode(
    4,
    index,
    auditHash(short.entries[index]!),
    createAuditEventRecord(acts.found!, 2),
  );
  return {
    swapped: {
      ...short,
      entries: short.entries.with(index, laterEntry).with(behind, earlierEntry),
      head: { leaf: index, seq: 3, hash: auditHash(laterEntry) },
      receipt: { ...createActReceipt("found", acts.found!, 2), leaf: index, before_leaf: behind },
    },
    skipped: {
      ...short,
      entries: short.entries.with(behind, skipping),
      head: { leaf: behind, seq: 4, hash: auditHash(skipping) },
      receipt: { ...createActReceipt("found", acts.found!, 2), leaf: behind, before_leaf: index },
    },
    atMs: startMs + behind,
  };
}

function falsifiedOrder(): FalsifiedVector[] {
  const { swapped, skipped, atMs } = swapOrder();
  return [
    createFalsified(
      "the one before it stands behind it",
      "audit_chain_broken",
      { ...swapped.receipt, at_ms: atMs },
      swapped,
    ),
    createFalsified(
      "a number is left out",
      "audit_chain_broken",
      { ...skipped.receipt, at_ms: atMs },
      skipped,
    ),
  ];
}

const createFalsified = (
  name: string,
  difference: AuditMismatch,
  receipt: unknown,
  from?: FalsifiedVector["log"],
): FalsifiedVector => ({ name, difference, receipt, ...(from ? { log: from } : {}) });

/** Another operator's act in place of the leaf of this name. */
export function createOtherAct(name: string): Uint8Array {
  const index = records.findIndex(([recordName]) => recordName === name);
  const changedRecords = records.with(index, [name, createAuditEventRecord(acts.found!, 8)]);
  return createLog(changedRecords).entries[log.places[name]!.leaf]!;
}

function falsifiedLanguages(): FalsifiedVector {
  const incompleteLog = createLog(
    records.map(([name, record]) =>
      name === "second edition"
        ? [name, { ...record, languages: ["en"] } as AuditRecord]
        : [name, record],
    ),
  );
  return createFalsified(
    "a leaf that leaves out a language",
    "languages_differ",
    createNewsReceipt("second edition", 2, incompleteLog),
    incompleteLog,
  );
}
