/** One difference between two bodies, for people who decide between them. */
export interface DraftChange {
  /** Location in the body: `languages.de.title`, `tiers.0.rate_bp`. */
  path: string;
  /** Null if absent. */
  before: string | null;
  after: string | null;
}

function flatten(value: unknown, path: string, into: Map<string, string>): void {
  if (Array.isArray(value) && value.every((item) => typeof item === "string"))
    into.set(path, value.join(", "));
  else if (value !== null && typeof value === "object") {
    for (const [name, part] of Object.entries(value))
      flatten(part, path === "" ? name : `${path}.${name}`, into);
  } else if (typeof value === "string") into.set(path, value);
  else if (typeof value === "number") into.set(path, String(value));
}

/**
 * In the order of `after`'s fields, followed by those that only `before` has. A missing body has no
 * fields.
 */
export function listChanges(before: unknown, after: unknown): DraftChange[] {
  const oldValues = new Map<string, string>();
  const newValues = new Map<string, string>();
  flatten(before, "", oldValues);
  flatten(after, "", newValues);
  return [...new Set([...newValues.keys(), ...oldValues.keys()])]
    .map((path) => ({
      path,
      before: oldValues.get(path) ?? null,
      after: newValues.get(path) ?? null,
    }))
    .filter(({ before: a, after: b }) => (a ?? "") !== (b ?? ""));
}

export interface Line {
  kind: "same" | "removed" | "added";
  text: string;
}

/**
 * If both sides have more lines than this, the whole text counts as replaced: the comparison table
 * would grow too large.
 */
const linesMax = 1_000;

/** Line-by-line difference of two texts, by their longest common subsequence. */
export function diffLines(before: string, after: string): Line[] {
  const a = before === "" ? [] : before.split("\n");
  const b = after === "" ? [] : after.split("\n");
  if (a.length + b.length > linesMax) return [...markAll(a, "removed"), ...markAll(b, "added")];
  const common = commonLengths(a, b);
  const lines: Line[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      lines.push({ kind: "same", text: a[i]! });
      i += 1;
      j += 1;
    } else if (common[i + 1]![j]! >= common[i]![j + 1]!)
      lines.push({ kind: "removed", text: a[i++]! });
    else lines.push({ kind: "added", text: b[j++]! });
  }
  return [...lines, ...markAll(a.slice(i), "removed"), ...markAll(b.slice(j), "added")];
}

const markAll = (texts: readonly string[], kind: Line["kind"]): Line[] =>
  texts.map((text) => ({ kind, text }));

/** Length of the longest common subsequence of `a` from line i and `b` from line j. */
function commonLengths(a: readonly string[], b: readonly string[]): number[][] {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      table[i]![j] =
        a[i] === b[j] ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, table[i]![j + 1]!);
    }
  }
  return table;
}
