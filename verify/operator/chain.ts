import type { LeafReader } from "../contracts/receipt.ts";
import { MismatchError } from "../log/bytes.ts";
import { decodeWorld, kinds, readKind, worldTag } from "../log/leaves.ts";
import { type AuditEventLeaf, decodeAudit, type PublicationLeaf } from "./auditLeaf.ts";

/** The whole audit chain of a log (docs/formats/audit.md, "Checking the chain"). */
interface Head {
  leaf: number;
  seq: number;
  hash: string;
}

type Link = { index: number } & (AuditEventLeaf | PublicationLeaf);

const mismatch = (name: string, detail: string) => new MismatchError("chain", name, detail);

/**
 * Follows the chain from the reported head to its start and looks for a leaf after the head.
 * Resolves with sentences; rejects with a MismatchError.
 */
export async function checkChain(
  reported: unknown,
  leaf: LeafReader,
  size: number,
): Promise<string[]> {
  const head = toHead(reported, size);
  const tag = worldTag(decodeWorld(await leaf(0)).name);
  const links = head === null ? [] : await follow(head, leaf, tag);
  checkVersions(links);
  for (let index = (head?.leaf ?? 0) + 1; index < size; index++)
    if (readKind(await leaf(index), tag) === kinds.audit)
      throw mismatch(
        "audit_tail_cut",
        `leaf ${index} comes after the head that the instance tells`,
      );
  const hiddenCount = links.filter((link) => link.type === "act" && link.act === null).length;
  const texts = links.filter((link) => link.type === "publication").length;
  return [
    `The audit chain has ${links.length} leaves, each after the one before it: ${texts} of texts, ${links.length - texts} of acts, ${hiddenCount} of which show nothing but number and time.`,
    `Nothing of it is behind leaf ${head?.leaf ?? 0}; the log has ${size} leaves.`,
  ];
}

function toHead(reported: unknown, size: number): Head | null {
  if (reported === null) return null;
  const { leaf, seq, hash } = (reported ?? {}) as Partial<Head>;
  const isWellFormed =
    Number.isSafeInteger(leaf) &&
    Number.isSafeInteger(seq) &&
    typeof hash === "string" &&
    (leaf as number) > 0;
  if (!isWellFormed) throw mismatch("audit_head_differs", "the instance tells no head");
  if ((leaf as number) >= size) throw mismatch("leaf_missing", `leaf ${leaf} of ${size}`);
  return reported as Head;
}

async function follow(head: Head, leaf: LeafReader, tag: Uint8Array): Promise<Link[]> {
  const links: Link[] = [];
  const readLink = async (index: number, otherwise: string): Promise<Link> => {
    const entry = await leaf(index);
    try {
      return { index, ...decodeAudit(entry, tag) };
    } catch (error) {
      if (!(error instanceof MismatchError)) throw error;
      const isOtherKind = error.difference === "leaf_kind_wrong";
      throw mismatch(isOtherKind ? otherwise : "leaf_unreadable", `leaf ${index}`);
    }
  };
  let link = await readLink(head.leaf, "audit_head_differs");
  if (link.seq !== head.seq || link.hash !== head.hash)
    throw mismatch("audit_head_differs", `leaf ${head.leaf} is number ${link.seq}, ${link.hash}`);
  for (;;) {
    links.push(link);
    if (link.before === null) return links.reverse();
    if (link.before >= link.index)
      throw mismatch("audit_chain_broken", `leaf ${link.index} names a later one before it`);
    const previousLink = await readLink(link.before, "audit_chain_broken");
    if (previousLink.hash !== link.previous || previousLink.seq + 1 !== link.seq)
      throw mismatch(
        "audit_chain_broken",
        `leaf ${link.index} does not follow leaf ${link.before}`,
      );
    link = previousLink;
  }
}

function checkVersions(links: readonly Link[]): void {
  const newestByPublication = new Map<string, PublicationLeaf>();
  for (const link of links) {
    if (link.type !== "publication") continue;
    const before = newestByPublication.get(link.publication);
    const next = link.state === "published" && link.version === (before?.version ?? 0) + 1;
    const ends =
      link.state === "withdrawn" &&
      before?.state === "published" &&
      before.version === link.version &&
      before.text === link.text;
    if (!next && !ends)
      throw mismatch(
        "publication_versions_differ",
        `leaf ${link.index}: version ${link.version} of ${link.publication}`,
      );
    newestByPublication.set(link.publication, link);
  }
}
