import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, inject, test } from "vitest";
import { appRole, ownerRole } from "#server/postgres/embedded.ts";
import { requireExternalDatabase } from "#server/postgres/externalDatabase.ts";
import "#server/testing/postgres.ts";

const { ownerUrl: owner, appUrl: app } = inject("postgres");

test("takes an owner and a role that cannot act as it", async () => {
  await requireExternalDatabase({ owner, app });
});

const wrongPassword = (url: string) => url.replace(/:[0-9a-f]+@/, ":secret-of-mine@");
const elsewhere = (url: string) => url.replace(/\/drydock$/, "/postgres");
const nowhere = (url: string) => url.replace(/\/drydock$/, "/no_such");

test.each<[string, { owner: string; app: string }, RegExp]>([
  [
    "a wrong password of the owner",
    { owner: wrongPassword(owner), app },
    /^DATABASE_OWNER_URL leads to no database that answers: password authentication failed for user "drydock_owner"\.$/,
  ],
  [
    "a wrong password of the application",
    { owner, app: wrongPassword(app) },
    /^DATABASE_URL leads to no database that answers: password authentication failed/,
  ],
  [
    "a database that is not there",
    { owner: nowhere(owner), app: nowhere(app) },
    /^DATABASE_OWNER_URL leads to no database that answers: database "no_such" does not exist\.$/,
  ],
  ["two databases", { owner, app: elsewhere(app) }, /lead to different databases/],
  [
    "a role that can act as the owner",
    { owner, app: owner },
    new RegExp(`^DATABASE_URL is wrong: its role ${ownerRole} can act as ${ownerRole}`),
  ],
])("refuses %s in a sentence without the password", async (_title, urls, message) => {
  const refusal = await requireExternalDatabase(urls).catch((error: Error) => error.message);
  expect(refusal).toMatch(message);
  expect(refusal).not.toContain("secret-of-mine");
});

test("refuses a server that is not there, and one that is no PostgreSQL", async () => {
  const other = createServer((socket) => socket.resume().end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  other.listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const at = (role: string) => `postgres://${role}:secret-of-mine@127.0.0.1:${port}/drydock`;
  const urls = { owner: at(ownerRole), app: at(appRole) };
  await expect(requireExternalDatabase(urls)).rejects.toThrow(
    /^DATABASE_OWNER_URL leads to no database that answers: /,
  );
  other.close();
  await once(other, "close");
  await expect(requireExternalDatabase(urls)).rejects.toThrow(
    `DATABASE_OWNER_URL leads to no database that answers: connect ECONNREFUSED 127.0.0.1:${port}.`,
  );
});
