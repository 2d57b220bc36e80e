import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fromHex, MismatchError } from "../log/bytes.ts";
import { worldTag } from "../log/leaves.ts";
import { decodeNetwork } from "./leaves.ts";
import { checkNetwork } from "./network.ts";

interface Readings {
  name: string;
  entries: string[];
  difference: string;
}
const path = join(import.meta.dirname, "../../docs/formats/vectors/network.json");
const { world, simulated, recorded, falsified } = JSON.parse(readFileSync(path, "utf8")) as {
  world: string;
  simulated: { entries: string[]; blocks: number };
  recorded: { entries: string[] };
  falsified: Readings[];
};
const tag = worldTag(world);
const decodeReadings = ({ entries }: { entries: string[] }) =>
  entries.map((entry) => decodeNetwork(fromHex(entry), tag));

describe("the mined network", () => {
  test("its blocks follow from the revealed seeds", () => {
    expect(checkNetwork(decodeReadings(simulated))).toContain(`; ${simulated.blocks} of its `);
  });

  test("no block can be recomputed before the first seed is revealed", () => {
    const entries = simulated.entries.slice(0, 24);
    expect(checkNetwork(decodeReadings({ entries }))).toContain("24 hours");
    expect(checkNetwork(decodeReadings({ entries }))).toContain("; 0 of its ");
  });

  test("a recorded network has no seeds", () => {
    expect(checkNetwork(decodeReadings(recorded))).toContain("it is recorded");
  });

  test("a world without a network reading has no blocks", () => {
    expect(checkNetwork([])).toContain("not read yet");
  });

  test.each(falsified)("falsified: $name: $difference", (testCase) => {
    const check = () => checkNetwork(decodeReadings(testCase));
    expect(check).toThrow(MismatchError);
    expect(check).toThrow(testCase.difference);
  });
});
