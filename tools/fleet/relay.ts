import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A port of an address of this computer: 127.0.0.1 unless it is named. */
export interface Target {
  port: number;
  host?: string;
}

/** Forwards connections to its targets in turn, as HAProxy does, and skips one that refuses. */
export interface Relay {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Listens on `at`, or on a free port of 127.0.0.1. Connections to a loopback target keep the
 * client's loopback address.
 */
export async function startRelay(
  targets: readonly Target[],
  at: Target = { port: 0 },
): Promise<Relay> {
  let turn = 0;
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay();
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  };
  const reach = async (target: Target, localAddress: string | undefined) => {
    const localOptions = target.host === undefined && localAddress ? { localAddress } : {};
    const outbound = connect({ host: "127.0.0.1", ...target, ...localOptions });
    track(outbound);
    await once(outbound, "connect");
    return outbound;
  };
  const pass = async (inbound: Socket) => {
    track(inbound);
    turn += 1;
    for (let tries = 0; tries < targets.length; tries += 1) {
      const target = targets[(turn + tries) % targets.length]!;
      const outbound = await reach(target, inbound.remoteAddress).catch(() => null);
      if (!outbound) continue;
      inbound.on("close", () => outbound.destroy());
      outbound.on("close", () => inbound.destroy());
      inbound.pipe(outbound).pipe(inbound);
      return;
    }
    inbound.destroy();
  };
  const server = createServer((inbound) => void pass(inbound));
  server.listen({ host: "127.0.0.1", ...at });
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a relay has no port");
  return {
    port: address.port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
