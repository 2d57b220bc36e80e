import { expect, test } from "vitest";
import { toStartError } from "#server/platform/db/startErrors.ts";
import { StartError } from "#server/platform/startError.ts";

const createError = (message: string, code?: string) => Object.assign(new Error(message), { code });

test.each<[string, Error, RegExp]>([
  [
    "no connection slot is left",
    createError("sorry, too many clients already", "53300"),
    /^The database cannot be used: PostgreSQL has no connection slot left \(sorry, too many clients already\); .* raise max_connections/,
  ],
  [
    "a pooler has no connection left",
    createError("no more connections allowed (max_client_conn)", "08P01"),
    /has no connection slot left/,
  ],
  [
    "a pooler refuses the session settings",
    createError("unsupported startup parameter: options", "08P01"),
    /^The database cannot be used: a connection pooler in between refuses/,
  ],
  [
    "the database is starting",
    createError("the database system is starting up", "57P03"),
    /does not accept connections yet/,
  ],
])("%s: the start fails with a sentence", (_title, error, message) => {
  const refusal = toStartError(error);
  expect(refusal).toBeInstanceOf(StartError);
  expect((refusal as Error).message).toMatch(message);
});

test("any other error is returned unchanged", () => {
  const error = createError("relation does not exist", "42P01");
  expect(toStartError(error)).toBe(error);
});
