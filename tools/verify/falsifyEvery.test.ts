import { describe, expect, test } from "vitest";
import { listSubjects, type NamedMismatch, type Subject } from "./testing.ts";

/**
 * Every scalar of every receipt and promise of the vectors, altered and left out, one after the
 * other, and a member added to each object: both verifiers refuse it by name, and by the same one.
 * The few that may be altered are listed below, and so are the few names that differ.
 */
type Path = (string | number)[];

function getScalars(value: unknown, path: Path = []): [Path, unknown][] {
  if (typeof value !== "object" || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) => getScalars(inner, [...path, name]));
}

/** All objects in a value, including the value itself. */
function getObjects(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, member]) =>
    getObjects(member, [...path, name]),
  );
  return Array.isArray(value) ? inner : [path, ...inner];
}

/** Another value of the same kind, and of the same form where that is easy. */
function changeScalar(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (typeof value !== "string") return "x";
  if (value === "") return "0".repeat(64);
  return value.replace(/.$/su, (last) => (last === "1" ? "2" : "1"));
}

function alter(value: unknown, path: Path, change: (value: unknown) => unknown): unknown {
  const copy = structuredClone(value);
  let node = copy as Record<string | number, unknown>;
  for (const name of path.slice(0, -1)) node = node[name] as typeof node;
  const last = path.at(-1) as string;
  const next = change(node[last]);
  if (next === undefined && Array.isArray(node)) node.splice(Number(last), 1);
  else if (next === undefined) delete node[last];
  else node[last] = next;
  return copy;
}
/**
 * Members that may be altered unseen by the checks of the leaves, each with the reason, as in
 * docs/formats/README.md. None of them may be left out.
 */
const unbound: { path: RegExp; why: string }[] = [
  {
    path: /^log\.(origin|vkey)$/,
    why: "compared with the log when it is opened, before any leaf (other_log, key_unlisted)",
  },
  {
    path: /^orders\.\d+\.log\.(origin|vkey)$/,
    why: "the leaves are read from the log of the journal's own receipt",
  },
  {
    path: /^(orders\.\d+\.)?window_leaves\.1$/,
    why: "more leaves than the window needs prove no less",
  },
  { path: /^from_day$/, why: "no figure, where no day is covered" },
  {
    path: /^sent\.at_ms$/,
    why: "the reader's own note, compared within five seconds",
  },
];

/** The form of a receipt is read as a whole by one verifier, and member by member by the other. */
const formDifferences = ["receipt_malformed", "order_malformed", "acknowledgement_malformed"];

/** Differences that the verifiers name differently, as `<command line> | <browser>`, and why. */
const namedDifferently: Record<string, string> = {
  "leaf_kind_wrong | leaf_unreadable": "one of them says that the leaf is of another kind",
  "not_practice | world_differs": "one of them reads the world among the practice labels",
  "world_differs | terms_not_in_log": "one of them compares the world of terms before their leaf",
};

const alterations = [
  ["altered", changeScalar],
  ["left out", () => undefined],
] as const;

const added = "another";

/** Every change: each scalar altered and left out, and a member added to each object. */
function* listChanges(value: unknown): Generator<[name: string, how: string, copy: unknown]> {
  for (const [path] of getScalars(value))
    for (const [alteration, change] of alterations)
      yield [path.join("."), alteration, alter(value, path, change)];
  for (const path of getObjects(value))
    yield [path.join("."), "with a member more", alter(value, [...path, added], () => "x")];
}

const isOfForm = (mismatch: NamedMismatch) =>
  mismatch !== null && formDifferences.includes(mismatch.difference);

/** Every change that one of the verifiers does not refuse, or that both name differently. */
async function findFailures({ value, checkByCommandLine, checkByBrowser }: Subject) {
  const failures: string[] = [];
  const usedPaths = new Set<RegExp>();
  for (const [name, alteration, copy] of listChanges(value)) {
    const [first, second] = [await checkByCommandLine(copy), await checkByBrowser(copy)];
    const names = `${first?.difference ?? "agrees"} | ${second?.difference ?? "agrees"}`;
    const open = unbound.find((rule) => rule.path.test(name));
    if (!first && !second && alteration === "altered" && open) usedPaths.add(open.path);
    else if (!first || !second) failures.push(`${name} ${alteration}: ${names}`);
    else if (first.difference === second.difference || isOfForm(first) || isOfForm(second))
      continue;
    else if (!(names in namedDifferently)) failures.push(`${name} ${alteration}: ${names}`);
  }
  return { failures, used: usedPaths };
}

const subjects = listSubjects();
const reachedPaths = new Set<RegExp>();

describe("altered and omitted scalars", { timeout: 120_000 }, () => {
  test.each(
    subjects.map((subject) => [subject.name, subject] as const),
  )("every altered scalar of %s is refused by both verifiers", async (_name, subject) => {
    expect(await subject.checkByCommandLine(subject.value)).toBeNull();
    expect(await subject.checkByBrowser(subject.value)).toBeNull();
    const { failures, used: usedPaths } = await findFailures(subject);
    for (const name of usedPaths) reachedPaths.add(name);
    expect(failures).toEqual([]);
  });

  test("every member listed as unbound is needed", () => {
    expect(unbound.filter(({ path }) => !reachedPaths.has(path))).toEqual([]);
  });
});

describe("lone surrogates in texts", { timeout: 120_000 }, () => {
  const receipts = subjects.filter(({ name }) => !name.startsWith("promise"));
  test.each(
    receipts.map((receipt) => [receipt.name, receipt] as const),
  )("a lone surrogate in any text of %s is refused by name", async (_name, {
    value,
    checkByCommandLine,
    checkByBrowser,
  }) => {
    const names = new Set<string>();
    for (const [path, text] of getScalars(value)) {
      if (typeof text !== "string") continue;
      const surrogateCopy = alter(value, path, () => `${text}\ud800`);
      for (const mismatch of [
        await checkByCommandLine(surrogateCopy),
        await checkByBrowser(surrogateCopy),
      ])
        names.add(mismatch?.difference ?? `${path.join(".")} agrees`);
    }
    expect([...names]).toEqual(["receipt_malformed"]);
  });
});
