/**
 * The sending side of tools/bench/fanout.ts: Drydock's stream (`stream`), or just `ws` and a loop
 * (`bare`).
 */
import type { AddressInfo } from "node:net";
import { setImmediate as breathe } from "node:timers/promises";
import { WebSocketServer } from "ws";
import { symbolNames } from "#core/market/symbols.ts";
import { createLocalBus } from "#server/platform/bus/bus.ts";
import { realClock } from "#server/platform/clock/clock.ts";
import { readConfig } from "#server/platform/config/config.ts";
import { createHttpApp } from "#server/platform/http/app.ts";
import { createMessages } from "#server/platform/http/language.ts";
import { createStream } from "#server/platform/http/stream.ts";
import { createLogger } from "#server/platform/logger.ts";
import { createSecurityLog } from "#server/platform/securityLog.ts";

interface Sender {
  port: number;
  broadcast(text: string): void;
}

const send = (message: object) => process.send?.(message);
/** A price message as defined in api/stream.ts. */
const text = JSON.stringify({
  topic: "prices",
  second_ms: 1_800_000_000_000,
  leaf: 1_234_567,
  prices: Object.fromEntries(symbolNames.map((name) => [name, "23123.45"])),
});
const sender = await (process.argv[2] === "bare" ? createBareSender() : stream());
process.on("disconnect", () => process.exit(0));
process.on("message", ({ messages }: { messages: number }) => void run(messages));
send({ port: sender.port, bytes: Buffer.byteLength(text) });

async function run(messages: number): Promise<void> {
  const before = process.cpuUsage();
  for (let number = 0; number < messages; number++) {
    sender.broadcast(text);
    await breathe();
  }
  const { user, system } = process.cpuUsage(before);
  send({ cpuMs: (user + system) / 1000 });
}

async function createBareSender(): Promise<Sender> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", backlog: 4096 });
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    broadcast: (message) => {
      const bytes = Buffer.from(message);
      for (const socket of server.clients) socket.send(bytes, { binary: false });
    },
  };
}

async function stream(): Promise<Sender> {
  const logger = createLogger("warn");
  const config = readConfig({ WORLD: "bench" });
  const app = await createHttpApp(
    {
      config,
      realClock,
      logger,
      securityLog: createSecurityLog(logger, realClock),
      messages: createMessages(),
    },
    async () => null,
  );
  const bus = createLocalBus((error) => logger.error({ err: error }, "a listener failed"));
  const hub = await createStream(app, bus);
  await app.listen({ port: 0, host: "127.0.0.1", backlog: 4096 });
  return {
    port: (app.server.address() as AddressInfo).port,
    broadcast: (message) => hub.broadcast(message),
  };
}
