import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer, type Server, type Socket } from "node:net";

/** How a pooler hands out backends. */
export interface PoolerMode {
  /**
   * `session`: a client keeps its backend. `transaction`: any free one for each transaction, as
   * pgbouncer does.
   */
  pooling: "session" | "transaction";
  /** `refuse` the startup parameter `options`, `ignore` it, or pass it on. */
  options: "refuse" | "ignore" | "pass";
  /** Which free backend is next. */
  order?: "latest" | "oldest";
  /** Rewrites the texts of simple and parsed queries, to imitate another database. */
  rewrite?: (sql: string) => string;
}

export interface Pooler {
  /** A database URL that leads through the pooler instead. */
  through(url: string): string;
  close(): Promise<void>;
}

interface Backend {
  /** Whom it serves: a pool is of one user and database. */
  pool: string;
  socket: Socket;
  client: Client | null;
  /** Bytes of an incomplete message. */
  rest: Buffer;
}

interface Client {
  pool: string;
  socket: Socket;
  backend: Backend | null;
  rest: Buffer;
  started: boolean;
  queued: Buffer[];
}

/**
 * A small pooler in front of the PostgreSQL that listens on the socket in `socketPath`. Each client
 * logs in on a new backend; after that, in transaction mode, its messages go to any free backend
 * until PostgreSQL says that no transaction is open. Notifications for no one are dropped.
 */
export async function startPooler(socketPath: string, mode: PoolerMode): Promise<Pooler> {
  const free: Backend[] = [];
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay();
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    return socket;
  };

  const assign = (client: Client) => {
    if (client.backend || client.queued.length === 0) return;
    const isOfPool = ({ pool }: Backend) => pool === client.pool;
    const backend = mode.order === "oldest" ? free.find(isOfPool) : free.findLast(isOfPool);
    if (!backend) return;
    free.splice(free.indexOf(backend), 1);
    backend.client = client;
    client.backend = backend;
    for (const bytes of client.queued.splice(0)) backend.socket.write(bytes);
  };
  const clients = new Set<Client>();

  const fromBackend = (backend: Backend, bytes: Buffer) => {
    backend.rest = Buffer.concat([backend.rest, bytes]);
    while (backend.rest.length >= 5 && backend.rest.length > backend.rest.readInt32BE(1)) {
      const end = backend.rest.readInt32BE(1) + 1;
      const message = backend.rest.subarray(0, end);
      backend.rest = backend.rest.subarray(end);
      backend.client?.socket.write(message);
      const isIdle = message[0] === 0x5a && message[5] === 0x49;
      if (!isIdle || mode.pooling === "session" || !backend.client) continue;
      backend.client.backend = null;
      backend.client.started = true;
      backend.client = null;
      free.push(backend);
      for (const client of clients) assign(client);
    }
  };

  const begin = (client: Client, packet: Buffer) => {
    const parameters = readParameters(packet);
    if (parameters.has("options") && mode.options === "refuse") {
      client.socket.end(errorMessage("08P01", "unsupported startup parameter: options"));
      return;
    }
    if (mode.options === "ignore") parameters.delete("options");
    client.pool = `${parameters.get("user")}/${parameters.get("database")}`;
    const backend: Backend = {
      pool: client.pool,
      socket: track(connect(socketPath)),
      client,
      rest: Buffer.alloc(0),
    };
    client.backend = backend;
    client.started = true;
    backend.socket.write(startupPacket(parameters));
    backend.socket.on("data", (bytes: Buffer) => fromBackend(backend, bytes));
    backend.socket.on("close", () => client.socket.destroy());
  };

  const fromClient = (client: Client, bytes: Buffer) => {
    client.rest = Buffer.concat([client.rest, bytes]);
    if (!client.started) {
      if (client.rest.length < 4 || client.rest.length < client.rest.readInt32BE(0)) return;
      const end = client.rest.readInt32BE(0);
      const packet = client.rest.subarray(0, end);
      client.rest = client.rest.subarray(end);
      begin(client, packet);
    }
    while (client.rest.length >= 5 && client.rest.length > client.rest.readInt32BE(1)) {
      const end = client.rest.readInt32BE(1) + 1;
      const message = client.rest.subarray(0, end);
      client.rest = client.rest.subarray(end);
      // A client that leaves does not take its backend with it.
      if (message[0] === 0x58) return client.socket.end();
      const outgoing = rewriteMessage(message, mode.rewrite);
      if (client.backend) client.backend.socket.write(outgoing);
      else client.queued.push(outgoing);
    }
    assign(client);
  };

  const server: Server = createServer((socket) => {
    const client: Client = {
      pool: "",
      socket: track(socket),
      backend: null,
      rest: Buffer.alloc(0),
      started: false,
      queued: [],
    };
    clients.add(client);
    socket.on("data", (bytes: Buffer) => fromClient(client, bytes));
    socket.on("close", () => {
      clients.delete(client);
      client.backend?.socket.destroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    through: (url) => url.replace(/@[^/]+\//, `@127.0.0.1:${port}/`),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Startup packet: length, protocol version, then names and values that end in NUL. */
function readParameters(packet: Buffer): Map<string, string> {
  const texts = packet.toString("utf8", 8).split("\0");
  const parameters = new Map<string, string>();
  for (let index = 0; texts[index]; index += 2) parameters.set(texts[index]!, texts[index + 1]!);
  return parameters;
}

function startupPacket(parameters: ReadonlyMap<string, string>): Buffer {
  const texts = [...parameters].map(([name, value]) => `${name}\0${value}\0`).join("");
  const body = Buffer.concat([Buffer.from([0, 3, 0, 0]), Buffer.from(`${texts}\0`)]);
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([length, body]);
}

function errorMessage(code: string, text: string): Buffer {
  const body = Buffer.from(`SFATAL\0C${code}\0M${text}\0\0`);
  return frame("E", body);
}

function frame(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** Q: a text. P: the name of the statement, then the text. */
function rewriteMessage(message: Buffer, rewrite: PoolerMode["rewrite"]): Buffer {
  const type = String.fromCharCode(message[0]!);
  if (!rewrite || (type !== "Q" && type !== "P")) return message;
  const body = message.subarray(5);
  const from = type === "P" ? body.indexOf(0) + 1 : 0;
  const to = body.indexOf(0, from);
  const text = Buffer.from(rewrite(body.toString("utf8", from, to)));
  return frame(type, Buffer.concat([body.subarray(0, from), text, body.subarray(to)]));
}
