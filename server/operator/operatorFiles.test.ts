import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportWorld } from "#api/operator/worlds.ts";
import { createOperatorWorld, type OperatorWorld } from "#server/operator/testing.ts";
import { FileAnswer } from "#server/platform/http/download.ts";
import { operatorFileRoute } from "#server/platform/http/operatorRoute.ts";
import { appRole } from "#server/postgres/embedded.ts";

const streams: Readable[] = [];
let world: OperatorWorld;
beforeAll(async () => {
  world = await createOperatorWorld({
    mount: (app) =>
      operatorFileRoute(app, exportWorld, ({ name }, { audit }) => {
        audit({ what: "worlds.exported", details: { world: name } });
        const stream = Readable.from(["all of it"]);
        streams.push(stream);
        return new FileAnswer("world.tar", "application/x-tar", stream);
      }),
  });
});
afterAll(() => world.close());

test("a file whose audit event cannot be written is not sent, and is closed", async () => {
  const owner = await world.operator("owner");
  await world.raise(owner);
  const { pool } = world.ctx.owner;
  await pool.query(`revoke insert on operator_audit_event from ${appRole}`);
  expect((await world.get(owner, "exportWorld", { name: "alpha" })).status).toBe(500);
  expect(streams.map(({ destroyed }) => destroyed)).toEqual([true]);
  await pool.query(`grant insert on operator_audit_event to ${appRole}`);
  expect((await world.get(owner, "exportWorld", { name: "alpha" })).data).toBe("all of it");
});
