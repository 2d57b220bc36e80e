import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  confined,
  createImageDecoder,
  type ImageDecoder,
} from "#server/platform/images/imageDecoder.ts";

const rules = {
  codePattern: /^none$/,
  wrongType: "request.malformed",
  unreadable: "server.failed",
} as const;

describe("the process that decodes pictures", () => {
  let decoder: ImageDecoder;
  beforeAll(() => {
    decoder = createImageDecoder();
  });
  afterAll(() => decoder.close());
  const picture = () =>
    sharp({ create: { width: 40, height: 30, channels: 3, background: "#ff0000" } });

  test.each([
    ["JPEG", () => picture().jpeg().toBuffer()],
    ["PNG", () => picture().png().toBuffer()],
    ["WebP", () => picture().webp().toBuffer()],
  ])("decodes a %s", async (_title, make) => {
    const { width, height, webp } = await decoder.decode(await make(), rules);
    expect([width, height, webp]).toEqual([40, 30, null]);
  });

  test("can neither write, connect, start programs nor read the data directory", async () => {
    const directory = mkdtempSync(join(tmpdir(), "drydock-confined-"));
    writeFileSync(join(directory, "secret"), "secret");
    const probe = join(import.meta.dirname, "confined.testdata.ts");
    const child = fork(probe, [directory], {
      execArgv: confined,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const [refused] = await once(child, "message");
    expect(refused).toEqual({
      read: "ERR_ACCESS_DENIED",
      readInsideProgram: "ERR_ACCESS_DENIED",
      write: "ERR_ACCESS_DENIED",
      spawn: "ERR_ACCESS_DENIED",
      connect: "ERR_ACCESS_DENIED",
    });
    rmSync(directory, { recursive: true, force: true });
  });
});

test("no loader but those of the three formats can be reached", async () => {
  await import("#server/platform/images/image.ts");
  const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>');
  for (const bytes of [gif, svg]) await expect(sharp(bytes).metadata()).rejects.toThrow();
});
