import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import * as api from "#api/transparencyLog.ts";
import { publicationReceiptFormat } from "#core/operator/auditReceipt.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { leafHash } from "#core/transparency-log/merkle.ts";
import {
  encodeBundle,
  parseTilePath,
  tileWidth,
  tileWidthAt,
} from "#core/transparency-log/tile.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { App } from "#server/platform/http/context.ts";
import { route } from "#server/platform/http/route.ts";
import { readBound } from "#server/transparency-log/bindings.ts";
import { createGrowthMeter } from "#server/transparency-log/growth.ts";
import { readHandovers } from "#server/transparency-log/store.ts";
import { singleFlight, type TransparencyLog } from "#server/transparency-log/transparencyLog.ts";
import { loadTile } from "#server/transparency-log/tree.ts";

const compress = promisify(gzip);

/**
 * The public log: C2SP tlog-tiles under `/log`, and the JSON calls of `api/transparencyLog.ts`.
 * Open to every origin, for witnesses.
 */
export function logRoutes(app: App, ctx: AppContext, transparencyLog: TransparencyLog): void {
  tileRoutes(app, ctx, transparencyLog);
  acknowledgementRoutes(app, ctx, transparencyLog);
  const bytesPerDay = createGrowthMeter(ctx.realClock, transparencyLog);
  route(app, api.getLogState, async () => {
    const checkpoint = await transparencyLog.checkpoint();
    if (!checkpoint) throw new ApiError("server.unavailable");
    const { origin, keys } = await transparencyLog.identity();
    return {
      origin,
      keys: keys.map(({ vkey, fromSize }) => ({ vkey, from_size: fromSize })),
      size: checkpoint.size,
      root: bytesToHex(checkpoint.root),
      checkpoint: checkpoint.note,
      checkpoint_at_ms: checkpoint.atMs,
      pending: (await transparencyLog.count()) - checkpoint.size,
      witnesses: (await transparencyLog.witnesses.standings()).map((standing) => ({
        name: standing.name,
        vkey: standing.vkey,
        size: standing.size,
        since_ms: standing.sinceMs,
        at_ms: standing.atMs,
      })),
      bytes_per_day: await bytesPerDay(),
      successions: await transparencyLog.successions(),
    };
  });
  route(app, api.getBuild, async () => {
    const newest = await transparencyLog.newestBuild();
    if (!newest) return { build: null };
    const { leaf, build } = newest;
    return { build: { leaf, version: build.version, list: bytesToHex(build.listHash) } };
  });
  route(app, api.getInclusion, async ({ leaf, size }) => {
    await requireSize(transparencyLog, size);
    if (leaf >= size) throw new ApiError("log.size_unknown");
    const [storedLeaf] = await transparencyLog.leaves(leaf, leaf + 1);
    const path = await transparencyLog.inclusion(leaf, size);
    return {
      leaf,
      size,
      leaf_hash: bytesToHex(leafHash(storedLeaf!.bytes)),
      path: path.map(bytesToHex),
    };
  });
  route(app, api.getConsistency, async ({ from, to }) => {
    await requireSize(transparencyLog, to);
    if (from > to) throw new ApiError("log.size_unknown");
    return { from, to, path: (await transparencyLog.consistency(from, to)).map(bytesToHex) };
  });
  route(app, api.getAuditHead, async ({ size }) => {
    await requireSize(transparencyLog, size);
    return { head: await transparencyLog.auditHead(size) };
  });
  route(app, api.getPublication, async ({ publication }) => {
    const storedPublication = await transparencyLog.published(publication);
    if (storedPublication?.withdrawnLeaf !== null) throw new ApiError("log.publication_unknown");
    const { record, leaf, before, atMs, body } = storedPublication;
    const log = await transparencyLog.signedBy(leaf);
    if (!log) throw new ApiError("log.receipt_not_ready");
    const { kind, subject, version } = record;
    const { name, market } = ctx.world;
    const marks = { practice: true, backing: "none", world: name, market, log };
    const position = { leaf, before_leaf: before, published_at_ms: atMs };
    const head = { publication, kind, subject, version };
    return { format: publicationReceiptFormat, ...marks, ...position, ...head, body };
  });
}

async function requireSize(transparencyLog: TransparencyLog, size: number): Promise<void> {
  const checkpoint = await transparencyLog.checkpoint();
  if (!checkpoint || size > checkpoint.size) throw new ApiError("log.size_unknown");
}

function tileRoutes(app: App, ctx: AppContext, transparencyLog: TransparencyLog): void {
  const latest = singleFlight(() => transparencyLog.checkpoint());
  app.get("/log/checkpoint", async (_request, reply) => {
    allowAnyOrigin(reply);
    const checkpoint = await latest();
    if (!checkpoint) throw new ApiError("request.not_found");
    return await reply
      .header("cache-control", "no-cache")
      .type("text/plain; charset=utf-8")
      .send(checkpoint.note);
  });
  app.get("/log/handovers", async (_request, reply) => {
    allowAnyOrigin(reply);
    const handovers = await readHandovers(ctx.database.db);
    if (handovers.length === 0) throw new ApiError("request.not_found");
    return await reply.header("cache-control", "no-cache").send(handovers);
  });
  const latestCosigned = singleFlight(() => transparencyLog.witnesses.cosigned());
  app.get("/log/cosigned", async (_request, reply) => {
    allowAnyOrigin(reply);
    const cosigned = await latestCosigned();
    if (!cosigned) throw new ApiError("request.not_found");
    return await reply
      .header("cache-control", "no-cache")
      .type("text/plain; charset=utf-8")
      .send(cosigned.note);
  });
  // Compressed here where it pays. The plugin mistakes a tile of hashes that happens to start like
  // a zlib stream (about one in ten thousand does) for compressed data, and labels it so.
  app.get<{ Params: { "*": string } }>(
    "/log/tile/*",
    { compress: false },
    async (request, reply) => {
      allowAnyOrigin(reply);
      const tile = parseTilePath(`tile/${request.params["*"]}`);
      // Nothing beyond the checkpoint is shown: it could still differ from what gets signed.
      const size = (await latest())?.size ?? 0;
      if (!tile || tileWidthAt(tile.level, tile.index, size) < tile.width) {
        throw new ApiError("request.not_found");
      }
      const bytes =
        tile.level === "entries"
          ? await readBundle(transparencyLog, tile.index, tile.width)
          : await loadTile(ctx.database.db, tile);
      if (!bytes) throw new ApiError("request.not_found");
      return await sendBytes(request, reply, bytes, tile.level === "entries");
    },
  );
}

/**
 * Serves the data that acknowledgements are checked with: the certificate of their key, and bound
 * hashes.
 */
function acknowledgementRoutes(
  app: App,
  { database }: AppContext,
  transparencyLog: TransparencyLog,
): void {
  app.platform.acknowledger = transparencyLog.acknowledgements;
  app.get("/log/acknowledgement-key", async (_request, reply) => {
    allowAnyOrigin(reply);
    const certificate = transparencyLog.acknowledgements.certificate();
    if (!certificate) throw new ApiError("request.not_found");
    return await reply
      .header("cache-control", "no-cache")
      .type("text/plain; charset=utf-8")
      .send(certificate);
  });
  app.get<{ Params: { leaf: string } }>(
    "/log/orders/:leaf",
    { compress: false },
    async ({ params: { leaf } }, reply) => {
      allowAnyOrigin(reply);
      if (!/^(0|[1-9][0-9]{0,14})$/.test(leaf)) throw new ApiError("request.not_found");
      const size = (await transparencyLog.checkpoint())?.size ?? 0;
      const hashes = Number(leaf) < size ? await readBound(database.db, Number(leaf)) : null;
      if (!hashes) throw new ApiError("request.not_found");
      return await reply
        .header("cache-control", "public, max-age=31536000, immutable")
        .type("application/octet-stream")
        .send(Buffer.from(hashes));
    },
  );
}

/** Called before anything is looked up: a page elsewhere must be able to read a 404 too. */
function allowAnyOrigin(reply: FastifyReply): void {
  reply.header("access-control-allow-origin", "*");
  reply.header("cross-origin-resource-policy", "cross-origin");
}

async function readBundle(
  transparencyLog: TransparencyLog,
  index: number,
  width: number,
): Promise<Uint8Array> {
  const leaves = await transparencyLog.leaves(index * tileWidth, index * tileWidth + width);
  return encodeBundle(leaves.map(({ bytes }) => bytes));
}

/**
 * A tile of a given width never changes, including partial ones. Hashes do not compress; entries
 * do.
 */
async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Uint8Array,
  compressible: boolean,
): Promise<FastifyReply> {
  reply.header("cache-control", "public, max-age=31536000, immutable");
  reply.type("application/octet-stream");
  if (!compressible) return await reply.send(Buffer.from(bytes));
  reply.header("vary", "accept-encoding");
  if (!/\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""))) {
    return await reply.send(Buffer.from(bytes));
  }
  return await reply.header("content-encoding", "gzip").send(await compress(bytes));
}
