import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { settings } from "#server/platform/config/settings.ts";

const root = join(import.meta.dirname, "../..");
const toText = (file: string) => readFileSync(join(root, file), "utf8");

/** Variables that compose.yaml and the scripts of the database share. */
const ownVariables = /^(HOST_NAME|POSTGRES_\w+|(OWNER|APP|REPLICATION)_PASSWORD)$/;

it("deployment files use existing settings", () => {
  const namedVariables = [
    "deploy/compose.yaml",
    "deploy/env.example",
    "deploy/Containerfile",
  ].flatMap((file) =>
    [...toText(file).matchAll(/\b([A-Z][A-Z_]{3,})\b(?=[:=])/g)].map(([, name]) => name),
  );
  const systemd = globSync("deploy/systemd/*", { cwd: root }).flatMap((file) =>
    [...toText(file).matchAll(/^Environment=([A-Z_]+)=/gm)].map(([, name]) => name),
  );
  const settingNames = [...namedVariables, ...systemd].filter(
    (name) => !ownVariables.test(name as string),
  );
  expect(settingNames).toContain("DATABASE_OWNER_URL");
  expect(settingNames).toContain("DRYDOCK_DATA");
  expect(settingNames.filter((name) => !((name as string) in settings))).toEqual([]);
});

it("env.example contains every value that compose.yaml reads", () => {
  const variables = [...toText("deploy/compose.yaml").matchAll(/\$\{(\w+)/g)].map(
    ([, name]) => name,
  );
  const defined = [...toText("deploy/env.example").matchAll(/^(\w+)=/gm)].map(([, name]) => name);
  expect([...new Set(variables)].toSorted()).toEqual(defined.toSorted());
});

it("deployment files use existing services and files", () => {
  const services = [...toText("deploy/compose.yaml").matchAll(/--services=(\w+)/g)];
  expect(services.map(([, name]) => name).toSorted()).toEqual(["feed", "web", "worker"]);
  for (const [, path] of toText("deploy/compose.yaml").matchAll(/- \.\/([\w./]+):/g)) {
    expect(globSync(`deploy/${path}`, { cwd: root })).toHaveLength(1);
  }
});

it("the passwords of a deployment are left out of the repository and of the image", () => {
  for (const file of [".gitignore", ".dockerignore"])
    expect(toText(file)).toMatch(/^\/?deploy\/\.env$/m);
});
