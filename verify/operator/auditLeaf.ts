import { MismatchError, sha256 } from "../log/bytes.ts";
import { decodeJson } from "../log/leaves.ts";

/** Leaves of kind `audit` (docs/formats/audit.md, "The leaf"). */
interface Common {
  seq: number;
  before: number | null;
  previous: string;
  at_ms: number;
  /** SHA-256 of the JSON bytes. */
  hash: string;
}

export interface AuditEventLeaf extends Common {
  type: "act";
  act: {
    what: string;
    role: string;
    target: string | null;
    details: Record<string, unknown> | null;
  } | null;
  commitment: string;
}

export interface PublicationLeaf extends Common {
  type: "publication";
  publication: string;
  kind: string;
  subject: string | null;
  version: number;
  state: "published" | "withdrawn";
  text: string;
  languages: string[];
}

const zeros = "0".repeat(64);

type Fields = Record<string, unknown>;

const isText = (value: unknown) =>
  typeof value === "string" && value.length > 0 && value.length <= 200;
const isHash = (value: unknown) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const isCount = (value: unknown, least = 0) =>
  Number.isSafeInteger(value) && (value as number) >= least;

const chainMembers = ["type", "seq", "before", "previous", "at_ms"];
const members = {
  act: ["act", "commitment"],
  publication: ["publication", "kind", "subject", "version", "state", "text", "languages"],
};

/** Reads an `audit` leaf; throws a MismatchError that names the fault. */
export function decodeAudit(
  entry: Uint8Array,
  tag: Uint8Array | null,
): AuditEventLeaf | PublicationLeaf {
  const fields = decodeJson(entry, "audit", tag) as Fields;
  const ensure = (condition: boolean, detail: string) => {
    if (!condition) throw new MismatchError("leaves", "leaf_value_invalid", detail);
  };
  const { type, seq, before, previous, world } = fields;
  ensure(type === "act" || type === "publication", "type");
  const names = ["practice", "backing", "world", ...chainMembers, ...members[type as "act"]].sort();
  ensure(Object.keys(fields).sort().join() === names.join(), "members");
  ensure(isText(world), "world");
  ensure(isCount(seq, 1) && isCount(fields.at_ms) && isHash(previous), "place in the chain");
  ensure(before === null ? seq === 1 : isCount(before) && seq !== 1, "before");
  ensure((seq === 1) === (previous === zeros), "previous");
  ensure(type === "act" ? isAuditEventBody(fields) : isPublicationBody(fields), type as string);
  const hash = sha256(entry.subarray(11)).toString("hex");
  return { ...fields, hash } as unknown as AuditEventLeaf | PublicationLeaf;
}

function isAuditEventBody({ act, commitment }: Fields): boolean {
  if (!isHash(commitment)) return false;
  if (act === null) return true;
  if (typeof act !== "object" || Array.isArray(act)) return false;
  const { what, role, target, details, ...extra } = act as Fields;
  return (
    Object.keys(extra).length === 0 &&
    isText(what) &&
    isText(role) &&
    (target === null || isText(target)) &&
    (details === null || isDetails(details))
  );
}

function isDetails(details: unknown): boolean {
  if (typeof details !== "object" || Array.isArray(details)) return false;
  const entries = Object.entries(details as Fields);
  return (
    entries.length <= 16 &&
    entries.every(
      ([name, value]) =>
        isText(name) &&
        (value === null ||
          typeof value === "boolean" ||
          Number.isSafeInteger(value) ||
          (typeof value === "string" && value.length <= 200)),
    )
  );
}

function isPublicationBody(fields: Fields): boolean {
  const { publication, kind, subject, version, state, text, languages } = fields;
  return (
    isText(publication) &&
    isText(kind) &&
    (subject === null || isText(subject)) &&
    isCount(version, 1) &&
    (state === "published" || state === "withdrawn") &&
    isHash(text) &&
    Array.isArray(languages) &&
    languages.every(isText) &&
    languages.every((language, index) => index === 0 || languages[index - 1] < language)
  );
}
