import type { Socket } from "node:net";
import pg from "pg";

/**
 * The parts of a base backup, in this order: archives with their data, then the server's manifest.
 */
export type BackupPart =
  | { kind: "archive"; name: string; tablespace: string }
  | { kind: "manifest" }
  | { kind: "data"; bytes: Buffer };

export interface BackupReceiver {
  /** Called before anything else; `bytes` is the server's estimate of the total. */
  begin(bytes: number): Promise<void>;
  take(part: BackupPart): Promise<void>;
}

/** Bytes buffered in memory before backpressure is applied to the server. */
const queueMaxBytes = 4 << 20;

/**
 * Runs BASE_BACKUP of the replication protocol (PostgreSQL manual, "Streaming Replication
 * Protocol"), which is what pg_basebackup speaks: the server flushes its buffers, sends every file
 * it needs as a tar archive, then the write-ahead log from the backup's start to its end, and a
 * manifest with the SHA-256 of each file as it was read. Meanwhile a replication slot that ends
 * with the connection retains the write-ahead log. Returns the position where the backup ends:
 * everything committed before it is included. `rateKb` limits what is sent per second.
 */
export async function streamBaseBackup(
  url: string,
  options: { rateKb: number | null; signal?: AbortSignal },
  receiver: BackupReceiver,
): Promise<{ endPosition: string }> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "drydock-backup",
    replication: "true",
  } as pg.ClientConfig);
  client.on("error", () => {});
  await client.connect();
  const stop = () => {
    client.end().catch(() => {});
  };
  options.signal?.addEventListener("abort", stop, { once: true });
  try {
    options.signal?.throwIfAborted();
    const slot = `drydock_backup_${process.pid}`;
    await client.query(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY PHYSICAL (RESERVE_WAL true)`);
    const rate = options.rateKb === null ? "" : `, MAX_RATE ${options.rateKb}`;
    const query = new BaseBackup(
      `BASE_BACKUP (LABEL 'drydock', PROGRESS true, CHECKPOINT 'fast', WAL true, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256'${rate})`,
      receiver,
    );
    client.once("end", () => query.fail(new Error("the server ended the connection")));
    client.query(query);
    return await query.ended;
  } finally {
    options.signal?.removeEventListener("abort", stop);
    await client.end().catch(() => {});
  }
}

interface Connection {
  stream: Socket;
}

/**
 * A custom query in the form node-postgres accepts, like those of its cursor and stream packages.
 */
class BaseBackup implements pg.Submittable {
  readonly ended: Promise<{ endPosition: string }>;
  readonly fail: (error: Error) => void;
  readonly #text: string;
  readonly #receiver: BackupReceiver;
  readonly #resolve: (end: { endPosition: string }) => void;
  #queue: BackupPart[] = [];
  #queuedBytes = 0;
  #working: Promise<void> = Promise.resolve();
  #busy = false;
  #failed = false;
  /** Result sets before and after the copy: start position, tablespaces; end position. */
  #results: (string | null)[][][] = [];
  beginning = false;

  constructor(text: string, receiver: BackupReceiver) {
    this.#text = text;
    this.#receiver = receiver;
    const { promise, resolve, reject } = Promise.withResolvers<{ endPosition: string }>();
    this.ended = promise;
    this.#resolve = resolve;
    this.fail = (error) => {
      this.#failed = true;
      reject(error);
    };
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#text);
  }

  handleRowDescription(): void {
    this.#results.push([]);
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    this.#results.at(-1)?.push(message.fields);
  }

  handleCopyData(message: { chunk: Buffer }, connection: Connection): void {
    const part = readPart(message.chunk);
    if (!part || this.#failed) return;
    this.#queue.push(part);
    if (part.kind === "data") this.#queuedBytes += part.bytes.length;
    if (this.#queuedBytes > queueMaxBytes) connection.stream.pause();
    if (!this.#busy) this.#working = this.#work(connection);
  }

  async #work(connection: Connection): Promise<void> {
    this.#busy = true;
    try {
      await this.#begin();
      for (let part = this.#queue.shift(); part && !this.#failed; part = this.#queue.shift()) {
        await this.#receiver.take(part);
        if (part.kind === "data") this.#queuedBytes -= part.bytes.length;
        if (this.#queuedBytes <= queueMaxBytes / 2) connection.stream.resume();
      }
    } catch (error) {
      this.fail(error as Error);
      connection.stream.destroy();
    }
    this.#busy = false;
  }

  async #begin(): Promise<void> {
    if (this.beginning) return;
    this.beginning = true;
    const kilobytes = this.#results[1]?.map((row) => Number(row[2] ?? 0)) ?? [];
    await this.#receiver.begin(kilobytes.reduce((sum, kilobyte) => sum + kilobyte, 0) * 1024);
  }

  handleReadyForQuery(): void {
    const endPosition = this.#results.at(-1)?.[0]?.[0] ?? "";
    void this.#working.then(() => {
      if (!this.#failed) this.#resolve({ endPosition });
    });
  }

  handleError(error: Error): void {
    this.fail(error);
  }

  handleCommandComplete(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
  handleCopyInResponse(): void {}
}

/** Null for a progress report. The driver reuses its buffer, so anything kept is copied. */
function readPart(chunk: Buffer): BackupPart | null {
  switch (String.fromCharCode(chunk[0] ?? 0)) {
    case "n": {
      const [name = "", tablespace = ""] = chunk.toString("utf8", 1).split("\0");
      return { kind: "archive", name, tablespace };
    }
    case "m":
      return { kind: "manifest" };
    case "d":
      return { kind: "data", bytes: Buffer.from(chunk.subarray(1)) };
    case "p":
      return null;
    default:
      throw new Error("the server sent a base backup in an unknown format");
  }
}
