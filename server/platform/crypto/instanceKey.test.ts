import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, inject, test } from "vitest";
import { createSealing } from "#server/platform/crypto/fieldEncryption.ts";
import { requireInstanceKey } from "#server/platform/crypto/instanceKey.ts";
import { createTestParts, type TestParts } from "#server/testing/parts.ts";

let parts: TestParts;
afterEach(() => parts.destroy());

/** A world that was started once, as a later start finds it. */
async function startedWorld() {
  parts = await createTestParts();
  const options = {
    ownerUrl: inject("postgres").ownerUrl,
    schema: parts.database.schema,
    config: parts.config,
  };
  await requireInstanceKey({ ...options, sealing: parts.sealing });
  return options;
}

test("the first start records the instance's key, and every later one accepts it", async () => {
  const options = await startedWorld();
  const sealing = createSealing(parts);
  await expect(requireInstanceKey({ ...options, sealing })).resolves.toBeUndefined();
});

test.each([
  ["is missing", false, /is missing/],
  ["is another's", true, /belongs to another database/],
])("a start is refused when the instance's key file %s", async (_title, another, sentence) => {
  const options = await startedWorld();
  rmSync(join(parts.config.dataDirectory, "keys/instance"));
  const sealing = createSealing(parts);
  if (another) await sealing.blind("any", "any");
  await expect(requireInstanceKey({ ...options, sealing })).rejects.toThrow(sentence);
});
