import { expect, test } from "vitest";
import { checkVersions } from "./console.ts";

const row = (id: string, versions: number, refused = false) => ({
  id,
  version: versions,
  versions: BigInt(versions),
  highest: versions,
  refused,
});

/** Findings about publication `a`, of which one version was acknowledged. */
function check(versions: number, openIds: string[], kind = "console.publish", refused = false) {
  const report = { losses: [], duplicates: [], imbalances: [] };
  const open = new Map(openIds.map((id, key) => [String(key), { userId: "u", kind, id }]));
  checkVersions([row("a", versions, refused)], new Map([["a", 1]]), open, report);
  return [report.losses.length, report.duplicates.length, report.imbalances.length];
}

test.each([
  ["versions equal to the acknowledged ones are accepted", check(1, []), [0, 0, 0]],
  ["a missing version is lost", check(0, ["a"]), [1, 0, 0]],
  ["an extra version is doubled", check(2, []), [0, 1, 0]],
  ["one extra version is accepted for a key without an answer", check(2, ["a"]), [0, 0, 0]],
  ["more versions than keys without an answer are doubled", check(3, ["a"]), [0, 1, 0]],
  ["a key of another publication does not explain an extra version", check(2, ["b"]), [0, 1, 0]],
  [
    "a key that publishes nothing does not explain an extra version",
    check(2, ["a"], "console.save"),
    [0, 1, 0],
  ],
  [
    "a publication refused at its time is not lost",
    check(0, [], "console.publish", true),
    [0, 0, 0],
  ],
])("%s", (_title, revisions, expected) => expect(revisions).toEqual(expected));
