import { expect, test } from "vitest";
import { judgeVersions } from "./console.ts";

const row = (id: string, versions: number, refused = false) => ({
  id,
  version: versions,
  versions: BigInt(versions),
  highest: versions,
  refused,
});

/** Findings about publication `a`, of which one version was acknowledged. */
function judge(versions: number, openIds: string[], kind = "console.publish", refused = false) {
  const verdict = { lost: [], duplicated: [], unbalanced: [] };
  const open = new Map(openIds.map((id, key) => [String(key), { userId: "u", kind, id }]));
  judgeVersions([row("a", versions, refused)], new Map([["a", 1]]), open, verdict);
  return [verdict.lost.length, verdict.duplicated.length, verdict.unbalanced.length];
}

test.each([
  ["versions equal to the acknowledged ones are accepted", judge(1, []), [0, 0, 0]],
  ["a missing version is lost", judge(0, ["a"]), [1, 0, 0]],
  ["an extra version is doubled", judge(2, []), [0, 1, 0]],
  ["one extra version is accepted for a key without an answer", judge(2, ["a"]), [0, 0, 0]],
  ["more versions than keys without an answer are doubled", judge(3, ["a"]), [0, 1, 0]],
  ["a key of another publication does not explain an extra version", judge(2, ["b"]), [0, 1, 0]],
  [
    "a key that publishes nothing does not explain an extra version",
    judge(2, ["a"], "console.save"),
    [0, 1, 0],
  ],
  [
    "a publication refused at its time is not lost",
    judge(0, [], "console.publish", true),
    [0, 0, 0],
  ],
])("%s", (_title, found, expected) => expect(found).toEqual(expected));
