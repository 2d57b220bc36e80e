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
import { createSettableClock, testStartMs } from "#server/testing/testContext.ts";

const rules = {
  codePattern: /^none$/,
  wrongType: "request.malformed",
  unreadable: "server.failed",
} as const;

const clock = createSettableClock(testStartMs);
const getName = async (attempt: Promise<unknown>) =>
  attempt.then(
    () => "decoded",
    ({ error }: { error: string }) => error,
  );

describe("the image decoder", () => {
  let decoder: ImageDecoder;
  beforeAll(() => {
    decoder = createImageDecoder(clock);
  });
  afterAll(() => decoder.close());
  const picture = () =>
    sharp({ create: { width: 40, height: 30, channels: 3, background: "#ff0000" } });

  test.each([
    ["JPEG", () => picture().jpeg().toBuffer()],
    ["PNG", () => picture().png().toBuffer()],
    ["WebP", () => picture().webp().toBuffer()],
  ])("a %s is decoded", async (_title, make) => {
    const { width, height, webp } = await decoder.decode("ada", await make(), rules);
    expect([width, height, webp]).toEqual([40, 30, null]);
  });

  test("a person has one image in progress and two waiting", async () => {
    const bytes = await picture().png().toBuffer();
    const outcomes = await Promise.all([
      ...[1, 2, 3, 4].map(() => getName(decoder.decode("ben", bytes, rules))),
      getName(decoder.decode("cy", bytes, rules)),
    ]);
    expect(outcomes).toEqual(["decoded", "decoded", "decoded", "request.too_many", "decoded"]);
  });

  test("a person has a burst of 200 images and one more every 432 seconds", async () => {
    const garbage = Buffer.from("no picture");
    const decode = () => getName(decoder.decode("dee", garbage, rules));
    const outcomes: string[] = [];
    for (let n = 0; n < 201; n += 1) outcomes.push(await decode());
    expect(outcomes).toEqual([...Array(200).fill("request.malformed"), "request.too_many"]);
    clock.advanceMs(432_000);
    expect([await decode(), await decode()]).toEqual(["request.malformed", "request.too_many"]);
  }, 30_000);

  test("the process cannot write, connect, start programs or read the data directory", async () => {
    const directory = mkdtempSync(join(tmpdir(), "drydock-confined-"));
    writeFileSync(join(directory, "secret"), "secret");
    const probe = join(import.meta.dirname, "../../testing/confined.ts");
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

test("an image beyond the queue of forty is refused, and queued ones finish", async () => {
  const decoder = createImageDecoder(clock);
  const garbage = Buffer.from("no picture");
  const promises = Array.from({ length: 41 }, (_, n) =>
    getName(decoder.decode(`person ${n}`, garbage, rules)),
  );
  await decoder.close();
  const outcomes = await Promise.all(promises);
  expect(outcomes.slice(0, 40)).toEqual(Array(40).fill("request.malformed"));
  expect(outcomes[40]).toBe("server.unavailable");
});

test("only loaders of the three formats are reachable", async () => {
  await import("#server/platform/images/image.ts");
  const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>');
  for (const bytes of [gif, svg]) await expect(sharp(bytes).metadata()).rejects.toThrow();
});
