import { chmodSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import type { SecondHooks } from "#server/market/feed.ts";
import { getRecordSocket } from "#server/market/recordings/messages.ts";
import { createRecordedLines } from "#server/market/recordings/recordedLines.ts";
import type { AppContext } from "#server/platform/context.ts";

/** A recorder that reads so slowly is dropped: an hour of books is a hundred megabytes. */
const waitingBytesMax = 64 * 1024 * 1024;

/**
 * Sends each closed second to programs on this machine (`npm run record`), over a unix socket in
 * the data directory. Costs nothing while no one listens, and nothing is done before the second is
 * committed, so a recorder can neither delay nor foresee one.
 */
export interface Recorder {
  hooks: SecondHooks;
  /** Starts listening, in the process that closes seconds; returns a function that stops it. */
  listen(): Promise<() => void>;
}

export function createRecorder(
  { world, config, logger }: Pick<AppContext, "world" | "config" | "logger">,
  venues: readonly string[],
): Recorder {
  const sockets = new Set<Socket>();
  let lines = createRecordedLines(world, venues);

  function accept(socket: Socket): void {
    // Volume carried over from before there was a listener belongs to no recording.
    if (sockets.size === 0) lines = createRecordedLines(world, venues);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    socket.resume();
    sockets.add(socket);
    send(socket, `${JSON.stringify(lines.begin)}\n`);
  }

  function send(socket: Socket, text: string): void {
    socket.write(text);
    if (socket.writableLength > waitingBytesMax) socket.destroy();
  }

  return {
    hooks: {
      afterAppend: async (_, seconds) => () => {
        if (sockets.size === 0) return;
        for (const second of seconds) {
          const text = `${JSON.stringify(lines.second(second))}\n`;
          for (const socket of sockets) send(socket, text);
        }
      },
    },
    listen: async () => {
      const path = getRecordSocket(config);
      try {
        const server = await listenAt(path, accept);
        return () => {
          server.close();
          for (const socket of sockets) socket.end();
        };
      } catch (error) {
        // A path that is too long for a socket must not stop the market.
        logger.warn({ err: error }, "this world cannot be recorded");
        return () => {};
      }
    },
  };
}

async function listenAt(path: string, accept: (socket: Socket) => void): Promise<Server> {
  rmSync(path, { force: true });
  const server = createServer(accept);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  chmodSync(path, 0o600);
  return server;
}
