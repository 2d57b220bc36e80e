import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { calls } from "#api/calls.ts";
import { calls as own } from "#api/identity.ts";

const root = join(import.meta.dirname, "../..");
const ownPaths = new Set<string>(Object.values(own).map(({ path }) => path));

test("no other call can be refused for want of a verification", () => {
  const asking = calls
    .filter(({ path }) => !ownPaths.has(path))
    .filter(({ errors }) => errors.some((name) => name.startsWith("identity.")));
  expect(asking.map(({ path }) => path)).toEqual([]);
});

test("no other domain reads a table of verifications or throws a refusal of theirs", () => {
  const files = globSync(join(root, "server/**/*.{ts,sql}"))
    .map((file) => relative(root, file))
    .filter((file) => !/^server\/identity\/|\.test\.ts$|migrations\/70\d/.test(file));
  expect(files.length).toBeGreaterThan(200);
  const naming = files.filter((file) =>
    /identity_(specimen|verification|drawn)|Refusal\(\s*"identity\./.test(
      readFileSync(join(root, file), "utf8"),
    ),
  );
  expect(naming).toEqual([]);
});

test("the world gives it to no other domain: only its routes, what exports and erases a person, and a helper's look have it", () => {
  const world = readFileSync(join(root, "server/app/modules.ts"), "utf8");
  const uses = world
    .split("\n")
    .filter((line) => /(?<![\w/."#])identity(?![\w/"])/.test(line) && !line.startsWith("import"))
    .map((line) => line.trim());
  expect(uses).toEqual([
    "identity: Identity;",
    "const identity = createIdentity(parts, { looking, messages: createMessages() });",
    expect.stringMatching(/^const helped = \{.*\bidentity\b.*\};$/),
    "identity,",
    "identity,",
  ]);
  // Of which a helper is shown how it stands, and no field of it.
  const helping = readFileSync(join(root, "server/app/people.ts"), "utf8");
  expect(helping.match(/identity(?=[.:] ?[A-Zi{]).*/g)).toEqual([
    "identity: Identity;",
    "identity.info(userId, readLanguage(user.language)),",
    "identity: { status: info.status, outcome: info.outcome },",
  ]);
});
