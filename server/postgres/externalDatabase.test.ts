import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { appRole, ownerRole } from "#server/postgres/embedded.ts";
import { requireExternalDatabase } from "#server/postgres/externalDatabase.ts";
import { type PoolerMode, startPooler } from "#server/testing/pooler.ts";
import "#server/testing/postgres.ts";

const { ownerUrl: owner, appUrl: app } = inject("postgres");

test("an owner and a role that cannot act as it are accepted", async () => {
  await requireExternalDatabase({ owner, app });
});

const wrongPassword = (url: string) => url.replace(/:[0-9a-f]+@/, ":secret-of-mine@");
const toOtherDatabase = (url: string) => url.replace(/\/drydock$/, "/postgres");
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
    "a database that does not exist",
    { owner: nowhere(owner), app: nowhere(app) },
    /^DATABASE_OWNER_URL leads to no database that answers: database "no_such" does not exist\.$/,
  ],
  ["two databases", { owner, app: toOtherDatabase(app) }, /lead to different databases/],
  [
    "a role that can act as the owner",
    { owner, app: owner },
    new RegExp(`^DATABASE_URL is wrong: its role ${ownerRole} can act as ${ownerRole}`),
  ],
])("%s is refused in a sentence without the password", async (_title, urls, message) => {
  const refusal = await requireExternalDatabase(urls).catch((error: Error) => error.message);
  expect(refusal).toMatch(message);
  expect(refusal).not.toContain("secret-of-mine");
});

test("a missing server and one that is not PostgreSQL are refused", async () => {
  const httpServer = createServer((socket) =>
    socket.resume().end("HTTP/1.1 400 Bad Request\r\n\r\n"),
  );
  httpServer.listen(0, "127.0.0.1");
  await once(httpServer, "listening");
  const { port } = httpServer.address() as AddressInfo;
  const urlOf = (role: string) => `postgres://${role}:secret-of-mine@127.0.0.1:${port}/drydock`;
  const urls = { owner: urlOf(ownerRole), app: urlOf(appRole) };
  await expect(requireExternalDatabase(urls)).rejects.toThrow(
    /^DATABASE_OWNER_URL leads to no database that answers: /,
  );
  httpServer.close();
  await once(httpServer, "close");
  await expect(requireExternalDatabase(urls)).rejects.toThrow(
    `DATABASE_OWNER_URL leads to no database that answers: connect ECONNREFUSED 127.0.0.1:${port}.`,
  );
});

/** The settings lead to a pooler in front of the database. */
async function refusalThrough(mode: PoolerMode, which: "both" | "app" = "both") {
  const socket = join(decodeURIComponent(/@([^/]+)\//.exec(owner)![1]!), ".s.PGSQL.5432");
  const pooler = await startPooler(socket, mode);
  try {
    const urls = {
      owner: which === "both" ? pooler.through(owner) : owner,
      app: pooler.through(app),
    };
    return await requireExternalDatabase(urls).then(
      () => null,
      (error: Error) => `${error.name}: ${error.message}`,
    );
  } finally {
    await pooler.close();
  }
}

describe("sessions that do not behave like PostgreSQL's", () => {
  test("a pooler in session mode is accepted", async () => {
    expect(await refusalThrough({ pooling: "session", options: "pass" })).toBeNull();
  });

  test.each([
    "latest",
    "oldest",
  ] as const)("a pooler in transaction mode that uses the %s backend is refused", async (order) => {
    const mode = { pooling: "transaction", options: "pass", order } as const;
    expect(await refusalThrough(mode)).toMatch(
      /^StartError: DATABASE_OWNER_URL cannot be used: its sessions change their PostgreSQL backend/,
    );
    expect(await refusalThrough(mode, "app")).toMatch(
      /^StartError: DATABASE_URL cannot be used: its sessions change .* pooler in transaction/,
    );
  });

  test("a pooler that refuses the session settings is refused", async () => {
    expect(await refusalThrough({ pooling: "session", options: "refuse" })).toMatch(
      /^StartError: DATABASE_OWNER_URL cannot be used: a connection pooler .*unsupported startup parameter: options/,
    );
  });

  test("a pooler that ignores the session settings is refused", async () => {
    expect(await refusalThrough({ pooling: "session", options: "ignore" }, "app")).toMatch(
      /^StartError: DATABASE_URL cannot be used: search_path and statement_timeout.* are not in force/,
    );
  });

  test("a database that always grants advisory locks is refused", async () => {
    const rewrite = (sql: string) =>
      sql.replace("pg_try_advisory_lock($1)", "$1::text is not null");
    expect(await refusalThrough({ pooling: "session", options: "pass", rewrite }, "app")).toMatch(
      /^StartError: DATABASE_URL cannot be used: an advisory lock .*CockroachDB/,
    );
  });

  test("a database that loses notifications is refused", async () => {
    const rewrite = (sql: string) => sql.replace("pg_notify($1, '')", "$1::text");
    expect(await refusalThrough({ pooling: "session", options: "pass", rewrite }, "app")).toMatch(
      /^StartError: DATABASE_URL cannot be used: a notification did not reach/,
    );
  });

  test("a read-only role, as on a standby, is refused", async () => {
    const readOnly = `${app}?options=-c%20default_transaction_read_only%3Don`;
    await expect(requireExternalDatabase({ owner, app: readOnly })).rejects.toThrow(
      "DATABASE_URL leads to a server that only reads: that is a standby",
    );
  });
});
