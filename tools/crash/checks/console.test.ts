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
  ["as many versions as acknowledged", judge(1, []), [0, 0, 0]],
  ["one version too few", judge(0, ["a"]), [1, 0, 0]],
  ["one version too many", judge(2, []), [0, 1, 0]],
  ["the one version of a key without an answer", judge(2, ["a"]), [0, 0, 0]],
  ["more versions than keys without an answer", judge(3, ["a"]), [0, 1, 0]],
  ["another publication's key without an answer", judge(2, ["b"]), [0, 1, 0]],
  ["a key without an answer that publishes nothing", judge(2, ["a"], "console.save"), [0, 1, 0]],
  ["refused when its time came", judge(0, [], "console.publish", true), [0, 0, 0]],
])("%s", (_title, found, expected) => expect(found).toEqual(expected));
