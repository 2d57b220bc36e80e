import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Where a connection may lead: a port of this machine, or a unix socket. */
export type Target = { port: number } | { path: string };

/** An address that stays while what is behind it changes, as HAProxy or a moved address gives it. */
export interface Relay {
  readonly port: number;
  /** From now on connections lead to these in turn; one that refuses is passed over. */
  lead(targets: readonly Target[]): void;
  close(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1. Towards a port it keeps its client's own loopback address. */
export async function startRelay(first: readonly Target[]): Promise<Relay> {
  let targets = first;
  let turn = 0;
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay();
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  };
  const reach = async (target: Target, localAddress: string | undefined) => {
    const from = "port" in target && localAddress ? { localAddress, host: "127.0.0.1" } : {};
    const far = connect({ ...target, ...from });
    track(far);
    await once(far, "connect");
    return far;
  };
  const pass = async (near: Socket) => {
    track(near);
    turn += 1;
    for (let tries = 0; tries < targets.length; tries += 1) {
      const target = targets[(turn + tries) % targets.length]!;
      const far = await reach(target, near.remoteAddress).catch(() => null);
      if (!far) continue;
      near.on("close", () => far.destroy());
      far.on("close", () => near.destroy());
      near.pipe(far).pipe(near);
      return;
    }
    near.destroy();
  };
  const server = createServer((near) => void pass(near));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a relay has no port");
  return {
    port: address.port,
    lead: (next) => {
      targets = next;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
