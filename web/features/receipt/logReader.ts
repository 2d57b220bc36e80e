import { decodeBundle, type TileId, tilePath } from "#core/transparency-log/tile.ts";

export type LogErrorCode =
  /** No response, or an error status. */
  | "log_unreachable"
  /** A response that does not follow the format. */
  | "log_malformed";

/** The public log could not be read. */
export class LogReadError extends Error {
  readonly problem: LogErrorCode;
  readonly path: string;

  constructor(problem: LogErrorCode, path: string) {
    super(`${problem}: ${path}`);
    this.name = "LogReadError";
    this.problem = problem;
    this.path = path;
  }
}

/** Reads the log's public files; rejects with a LogReadError. Immutable files are fetched once. */
export interface LogReader {
  /** The latest signed note. */
  checkpoint(): Promise<string>;
  /** The latest signed note that witnesses cosigned; null if there is none. */
  cosigned(): Promise<string | null>;
  /** The notes by which the log's keys handed over, unchecked. */
  handovers(): Promise<unknown>;
  /** A tile of hashes at exactly the width of `id`. */
  tile(id: TileId): Promise<Uint8Array>;
  /** The first `width` entries of bundle `index`. */
  entries(index: number, width: number): Promise<Uint8Array[]>;
}

type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** A reader of the log under `prefix` ("/log"). */
export function createLogReader(
  prefix = "/log",
  send: Fetch = (url, init) => fetch(url, init),
): LogReader {
  const cache = new Map<string, Promise<Uint8Array>>();
  const get = async (path: string, init?: RequestInit): Promise<Uint8Array> => {
    const response = await send(`${prefix}/${path}`, init).catch(() => null);
    if (!response?.ok) throw new LogReadError("log_unreachable", path);
    const body = await response.arrayBuffer().catch(() => null);
    if (!body) throw new LogReadError("log_unreachable", path);
    return new Uint8Array(body);
  };
  const getOnce = (path: string) => {
    const cached = cache.get(path);
    if (cached) return cached;
    const response = get(path);
    cache.set(path, response);
    // Failures are not cached: the next caller tries again.
    response.catch(() => cache.delete(path));
    return response;
  };
  const getIfThere = async (path: string): Promise<Response | null> => {
    const response = await send(`${prefix}/${path}`, { cache: "no-store" }).catch(() => null);
    if (response?.status === 404) return null;
    if (!response?.ok) throw new LogReadError("log_unreachable", path);
    return response;
  };
  return {
    checkpoint: async () => {
      const bytes = await get("checkpoint", { cache: "no-store" });
      return new TextDecoder().decode(bytes);
    },
    cosigned: async () => (await (await getIfThere("cosigned"))?.text()) ?? null,
    handovers: async () => {
      const response = await getIfThere("handovers");
      return response ? await response.json().catch(() => null) : [];
    },
    tile: async (id) => {
      const path = tilePath(id);
      const bytes = await getOnce(path);
      if (bytes.length !== id.width * 32) throw new LogReadError("log_malformed", path);
      return bytes;
    },
    entries: async (index, width) => {
      const path = tilePath({ level: "entries", index, width });
      const entries = decodeBundle(await getOnce(path));
      if (entries?.length !== width) throw new LogReadError("log_malformed", path);
      return entries;
    },
  };
}
