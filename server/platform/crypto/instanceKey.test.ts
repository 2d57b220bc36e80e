import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, inject, test } from "vitest";
import { createFieldEncryption } from "#server/platform/crypto/fieldEncryption.ts";
import { requireInstanceKey } from "#server/platform/crypto/instanceKey.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";

let ctx: TestContext;
afterEach(() => ctx.destroy());

/** A world that was started once, as a later start finds it. */
async function startedWorld() {
  ctx = await createTestContext();
  const options = {
    ownerUrl: inject("postgres").ownerUrl,
    schema: ctx.database.schema,
    config: ctx.config,
  };
  await requireInstanceKey({ ...options, fieldEncryption: ctx.fieldEncryption });
  return options;
}

test("the first start records the instance's key, and later starts accept it", async () => {
  const options = await startedWorld();
  const fieldEncryption = createFieldEncryption(ctx);
  await expect(requireInstanceKey({ ...options, fieldEncryption })).resolves.toBeUndefined();
});

test.each([
  ["is missing", false, /is missing/],
  ["belongs to another instance", true, /belongs to another database/],
])("a start is refused when the instance's key file %s", async (_title, another, message) => {
  const options = await startedWorld();
  rmSync(join(ctx.config.dataDirectory, "keys/instance"));
  const fieldEncryption = createFieldEncryption(ctx);
  if (another) await fieldEncryption.blindIndex("any", "any");
  await expect(requireInstanceKey({ ...options, fieldEncryption })).rejects.toThrow(message);
});
