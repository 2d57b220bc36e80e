import { fork } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type FeedMessage, toFeedTask } from "#server/app/feedProcess.ts";
import { readConfig } from "#server/platform/config/config.ts";

test.each([
  ["the only world", ["harbour"]],
  ["several worlds", ["harbour", "lagoon"]],
])(
  "with %s, the process survives a database outage and reconnects",
  async (_, worlds) => {
    let attempts = 0;
    const closingServer = createServer((socket) => {
      attempts += 1;
      socket.on("error", () => {}).destroy();
    }).listen(0, "127.0.0.1");
    await once(closingServer, "listening");
    const url = `postgres://drydock@127.0.0.1:${(closingServer.address() as AddressInfo).port}/drydock`;
    const child = fork(join(import.meta.dirname, "feedMain.ts"), [], {
      execArgv: [],
      serialization: "advanced",
      stdio: ["ignore", "inherit", "ignore", "ipc"],
    });
    for (const world of worlds) {
      const config = { ...readConfig({ LOG_LEVEL: "silent" }), world };
      const task = toFeedTask(config, { owner: url, app: url }, 0);
      child.send({ kind: "begin", task } satisfies FeedMessage);
    }
    const isRunning = () => child.exitCode === null;
    // All worlds share the first attempt.
    while (attempts < 2 && isRunning()) await sleep(20);
    expect(isRunning()).toBe(true);
    child.send({ kind: "stop" } satisfies FeedMessage);
    expect(await once(child, "exit")).toEqual([0, null]);
    closingServer.close();
  },
  60_000,
);
