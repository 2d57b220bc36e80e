import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { createSharedBus, type SharedBus } from "#server/platform/bus/sharedBus.ts";
import { readConfig } from "#server/platform/config/config.ts";
import {
  createDirectoryChecks,
  requireSameDirectory,
} from "#server/platform/config/sharedDirectory.ts";
import { StartError } from "#server/platform/startError.ts";
import "#server/testing/postgres.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "drydock-shared-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));
const inRoot = (name: string) => join(root, name);

describe("a world's directory is identified by its id", () => {
  test("the first start creates an id, and later starts accept it", async () => {
    const id = await requireSameDirectory(inRoot("a"), null);
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(await requireSameDirectory(inRoot("a"), id)).toBe(id);
  });

  test("a second world in the same directory gets the same id", async () => {
    const id = await requireSameDirectory(inRoot("a"), null);
    expect(await requireSameDirectory(inRoot("a"), null)).toBe(id);
  });

  test.each(["", "\n", "0123"])("the id %j is reported as damaged", async (text) => {
    const id = await requireSameDirectory(inRoot("a"), null);
    writeFileSync(inRoot("a/blobs/directory-id"), text);
    const damaged = `The file ${inRoot("a/blobs/directory-id")} is damaged`;
    for (const storedId of [null, id])
      await expect(requireSameDirectory(inRoot("a"), storedId)).rejects.toThrow(damaged);
  });

  test.each<[string, (id: string) => unknown, RegExp]>([
    ["an empty directory", () => {}, /keys is not the directory .*directory-id is missing/],
    [
      "another world's directory",
      () => requireSameDirectory(inRoot("b"), null),
      /keys is not the directory .*it belongs to another database/,
    ],
    [
      "a directory without the pictures",
      () => cpSync(inRoot("a/keys"), inRoot("b/keys"), { recursive: true }),
      /blobs is not the directory .*directory-id is missing/,
    ],
  ])("%s is refused", async (_title, make, message) => {
    const id = await requireSameDirectory(inRoot("a"), null);
    await make(id);
    const refusal = requireSameDirectory(inRoot("b"), id);
    await expect(refusal).rejects.toThrow(StartError);
    await expect(refusal).rejects.toThrow(message);
    expect(existsSync(inRoot("b/blobs/directory-id"))).toBe(existsSync(inRoot("b/blobs")));
  });
});

describe("processes of a world prove that they share a directory", () => {
  const buses: SharedBus[] = [];
  afterEach(() => Promise.all(buses.splice(0).map((bus) => bus.close())));
  const process = async (dataDirectory: string) => {
    const onError = (error: unknown) => {
      throw error;
    };
    const url = inject("postgres").appUrl;
    const bus = await createSharedBus({ url, schema: "test_shared_directory", onError });
    buses.push(bus);
    return createDirectoryChecks({ bus, config: { ...readConfig({}), dataDirectory } });
  };

  test("a process that sees the same files may start, and the check leaves no files", async () => {
    await requireSameDirectory(inRoot("a"), null);
    const [, second, third] = [
      await process(inRoot("a")),
      await process(inRoot("a")),
      await process(inRoot("a")),
    ];
    const startedMs = performance.now();
    await Promise.all([second.prove(2), third.prove(2)]);
    expect(performance.now() - startedMs).toBeLessThan(1_500);
    expect(readdirSync(inRoot("a/keys"))).toEqual(["directory-id"]);
    expect(readdirSync(inRoot("a/blobs"))).toEqual(["directory-id"]);
  });

  test("a copy is refused although its id matches", async () => {
    const id = await requireSameDirectory(inRoot("a"), null);
    cpSync(inRoot("a"), inRoot("copy"), { recursive: true });
    await process(inRoot("a"));
    expect(await requireSameDirectory(inRoot("copy"), id)).toBe(id);
    const copy = await process(inRoot("copy"));
    await expect(copy.prove(1)).rejects.toThrow(
      `${inRoot("copy")} is not the directory that the other processes of this world use`,
    );
  });

  test("a process that does not answer blocks no other", async () => {
    await requireSameDirectory(inRoot("a"), null);
    const stoppedProcess = await process(inRoot("a"));
    stoppedProcess.stop();
    await (await process(inRoot("a"))).prove(1);
  });
});
