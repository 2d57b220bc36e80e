import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { calls } from "#api/calls.ts";
import { calls as own } from "#api/identity.ts";

const root = join(import.meta.dirname, "../..");
const ownPaths = new Set<string>(Object.values(own).map(({ path }) => path));

test("no other call can be refused for lack of a verification", () => {
  const asking = calls
    .filter(({ path }) => !ownPaths.has(path))
    .filter(({ errors }) => errors.some((name) => name.startsWith("identity.")));
  expect(asking.map(({ path }) => path)).toEqual([]);
});

test("no other domain reads a verification table or throws an identity error", () => {
  const files = globSync(join(root, "server/**/*.{ts,sql}"))
    .map((file) => relative(root, file))
    .filter((file) => !/^server\/identity\/|\.test\.ts$|migrations\/70\d/.test(file));
  expect(files.length).toBeGreaterThan(200);
  const namingFiles = files.filter((file) =>
    /identity_(specimen|verification)|Refusal\(\s*"identity\./.test(
      readFileSync(join(root, file), "utf8"),
    ),
  );
  expect(namingFiles).toEqual([]);
});

test("only the account module depends on identity, and shows its status without its fields", () => {
  const needing = globSync("server/**/module.ts", { cwd: root }).filter((path) =>
    /needs: \[[^\]]*"identity"/.test(readFileSync(join(root, path), "utf8")),
  );
  expect(needing).toEqual(["server/account/module.ts"]);
  const uses = globSync("server/account/*.ts", { cwd: root })
    .filter((path) => !path.endsWith(".test.ts"))
    .flatMap((path) => [
      ...readFileSync(join(root, path), "utf8").matchAll(/identity(?=[.:] ?[A-Zi{]).*/g),
    ]);
  expect(uses.map(([text]) => text)).toEqual([
    'identity: { info(userId: string, language: Locale): Promise<Page["identity"]> };',
    "identity.info(userId, parseLanguage(user.language)),",
    "identity: { status: info.status, outcome: info.outcome },",
  ]);
});
