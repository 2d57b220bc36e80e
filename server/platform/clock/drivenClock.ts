import { rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Config } from "#server/platform/config/config.ts";
import type { DrivenClock } from "./clock.ts";

/**
 * Lets a test move the clock of a test world, over the unix socket `clock-<world>.sock` in the data
 * directory and never over HTTP. Each line sent is a world time in milliseconds to move to; the
 * reply is the resulting time, or `error` and the reason.
 */
export async function listenForClock(
  clock: DrivenClock,
  config: Pick<Config, "dataDirectory" | "world">,
): Promise<{ close(): Promise<void> }> {
  const path = join(config.dataDirectory, `clock-${config.world}.sock`);
  rmSync(path, { force: true });
  const server = createServer((socket) => {
    let text = "";
    socket.setEncoding("utf8");
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk: string) => {
      text += chunk;
      const lines = text.split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) socket.write(`${move(clock, line)}\n`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        rmSync(path, { force: true });
      }),
  };
}

function move(clock: DrivenClock, line: string): string {
  if (line.trim() === "") return String(clock.nowMs());
  const atMs = Number(line);
  if (!Number.isSafeInteger(atMs)) return "error not a time in milliseconds";
  if (atMs < clock.nowMs()) return "error world time cannot go back";
  clock.advanceTo(atMs);
  return String(clock.nowMs());
}
