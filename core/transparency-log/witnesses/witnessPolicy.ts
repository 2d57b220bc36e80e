import type { NoteKey } from "#core/transparency-log/checkpoint.ts";
import { parseWitnessKey } from "./cosignature.ts";

/** A witness of a policy; `url` is its submission prefix, null when none is given. */
export interface PolicyWitness {
  name: string;
  vkey: string;
  key: NoteKey;
  url: string | null;
}

interface Group {
  least: number;
  members: readonly string[];
}

/**
 * A witness policy (https://c2sp.org/tlog-policy): who watches the log, and how many of them make a
 * quorum. Lines that name logs are only checked for their form, because an instance has one log.
 */
export interface WitnessPolicy {
  witnesses: readonly PolicyWitness[];
  groups: ReadonlyMap<string, Group>;
  /** The witness or group that must have cosigned; null: none must. */
  quorum: string | null;
}

/** Lines of each kind that a policy may have. */
const linesMax = 32;

/** The policy, or the first line that is wrong and why. */
export function parseWitnessPolicy(
  text: string,
): { ok: true; policy: WitnessPolicy } | { ok: false; line: number; error: string } {
  const witnesses: PolicyWitness[] = [];
  const groups = new Map<string, Group>();
  const members = new Set<string>();
  let quorum: string | null | undefined;
  const isDefined = (name: string) =>
    groups.has(name) || witnesses.some((witness) => witness.name === name);
  const readWitness = ([name = "", vkey = "", url = null]: (string | undefined | null)[]) => {
    const key = parseWitnessKey(vkey ?? "");
    if (!name || !key) return "it is: witness <name> <verifier key> [<url>]";
    if (isDefined(name) || name === "none") return `the name ${name} is taken`;
    if (witnesses.some((witness) => witness.key.publicKey.join() === key.publicKey.join()))
      return "this key is listed already";
    if (url !== null && !/^https?:\/\//.test(url)) return "its url begins with http:// or https://";
    if (witnesses.length === linesMax) return `a policy has at most ${linesMax} witnesses`;
    witnesses.push({ name, vkey: vkey!, key, url: url?.replace(/\/+$/, "") ?? null });
    return null;
  };
  const readGroup = ([name = "", threshold = "", ...names]: string[]) => {
    const required =
      threshold === "any" ? 1 : threshold === "all" ? names.length : Number(threshold);
    if (!name || names.length === 0 || !(required >= 1 && required <= names.length))
      return "it is: group <name> <all, any or a number> <member> …";
    if (isDefined(name) || name === "none") return `the name ${name} is taken`;
    if (groups.size === linesMax) return `a policy has at most ${linesMax} groups`;
    for (const member of names) {
      if (!isDefined(member)) return `${member} is not defined above`;
      if (members.has(member)) return `${member} is a member already`;
      members.add(member);
    }
    groups.set(name, { least: required, members: names });
    return null;
  };
  const readQuorum = ([name = ""]: string[]) => {
    if (quorum !== undefined) return "a policy has one quorum";
    if (name !== "none" && !isDefined(name)) return `${name} is not defined above`;
    quorum = name === "none" ? null : name;
    return null;
  };
  for (const [index, line] of text.split("\n").entries()) {
    const [word = "", ...rest] = line.split(/[ \t]+/).filter((part) => part !== "");
    if (word === "" || word.startsWith("#") || word === "log") continue;
    const error =
      word === "witness"
        ? readWitness(rest)
        : word === "group"
          ? readGroup(rest)
          : word === "quorum"
            ? readQuorum(rest)
            : `${word} is not log, witness, group or quorum`;
    if (error !== null) return { ok: false, line: index + 1, error };
  }
  if (quorum === undefined)
    return { ok: false, line: text.split("\n").length, error: "there is no quorum line" };
  return { ok: true, policy: { witnesses, groups, quorum } };
}

/** Returns true if those who cosigned, by their names in the policy, make its quorum. */
export function meetsQuorum(policy: WitnessPolicy, cosigners: ReadonlySet<string>): boolean {
  const isSatisfied = (name: string): boolean => {
    const group = policy.groups.get(name);
    if (!group) return cosigners.has(name);
    return group.members.filter(isSatisfied).length >= group.least;
  };
  return policy.quorum === null || isSatisfied(policy.quorum);
}
