import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MismatchError } from "./bytes.ts";
import { followLog } from "./checkpointStore.ts";
import { findSigningKeys, followHandovers } from "./handover.ts";
import { LogReader } from "./logReader.ts";
import { parseCheckpoint } from "./note.ts";

interface Case {
  name: string;
  trusted: string[];
  handovers: unknown;
  checkpoint: string;
  followed: string[];
  difference: string;
}
const path = join(import.meta.dirname, "../../docs/formats/vectors/handover.json");
const { origin, cases, falsified } = JSON.parse(readFileSync(path, "utf8")) as {
  origin: string;
  cases: Case[];
  falsified: Case[];
};

const getReader = ({ checkpoint, handovers }: Pick<Case, "checkpoint" | "handovers">) =>
  new LogReader(parseCheckpoint(checkpoint), async (file) => {
    if (file !== "handovers") throw new Error(`${file} was read`);
    if (Array.isArray(handovers) && handovers.length === 0)
      throw new MismatchError("leaves", "leaf_missing", file);
    return Buffer.from(JSON.stringify(handovers));
  });

/** Follows the log as a verifier that has stored the trusted key. */
async function follow({ trusted, ...one }: Case, vkey: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "drydock-handover-"));
  const file = join(folder, "memory.json");
  const logs = { [origin]: { vkey: trusted[0], checkpoint: one.checkpoint } };
  try {
    writeFileSync(file, JSON.stringify({ logs, instances: {} }));
    const url = "http://localhost:8080/";
    const message = await followLog(file, getReader(one), { url, vkey, acceptNewLog: false });
    expect(JSON.parse(readFileSync(file, "utf8")).logs[origin].vkey).toBe(vkey);
    return message;
  } catch (error) {
    if (!(error instanceof MismatchError)) throw error;
    expect(JSON.parse(readFileSync(file, "utf8")).logs).toEqual(logs);
    return error.difference;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("keys that handed over", () => {
  test.each(cases)("$name: followed to the newest", async (testCase) => {
    const { trusted: vkeys, handovers, followed } = testCase;
    expect(followHandovers(handovers, { origin, vkeys })).toEqual(followed);
    expect(await follow(testCase, followed.at(-1) as string)).toContain("continues");
  });

  test("the message reports a changed key if the trusted one no longer signs", async () => {
    const [withTrusted, withoutTrusted] = cases as [Case, Case];
    expect(await follow(withTrusted, withTrusted.followed[1] as string)).not.toContain("changed");
    expect(await follow(withoutTrusted, withoutTrusted.followed[1] as string)).toContain(
      "Its key was changed",
    );
  });

  test.each(falsified)("falsified: $name: $difference", async (testCase) => {
    expect(await follow(testCase, "unused")).toBe(testCase.difference);
  });

  test("no handover is followed without a trusted key", async () => {
    expect(await findSigningKeys(getReader(cases[2] as Case), [])).toEqual([]);
  });
});
