import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { hash, id, nothing, timeMs } from "#api/shapes.ts";

/**
 * The log's JSON calls. The log itself is served as C2SP tlog-tiles under `/log`:
 * `/log/checkpoint`,
 * `/log/tile/<L>/<N>[.p/<W>]` and `/log/tile/entries/<N>[.p/<W>]` (docs/formats/log.md).
 */
const size = z.coerce.number().check(z.int(), z.minimum(0));

export const getLogState = defineCall({
  method: "GET",
  path: "/api/log/getState",
  summary: "The log's name, keys, size and latest checkpoint",
  access: "public",
  input: nothing,
  answer: z.object({
    origin: z.string(),
    /** Newest first; a superseded key stays listed so that old checkpoints remain verifiable. */
    /** `from_size`: leaves when it began to sign; null in an archive, which does not say so. */
    keys: z.array(z.object({ vkey: z.string(), from_size: z.nullable(z.int()) })),
    size: z.int(),
    root: hash,
    checkpoint: z.string(),
    checkpoint_at_ms: timeMs,
    /** Leaves appended but not yet covered by a checkpoint. */
    pending: z.int(),
    /**
     * Witnesses that the operator asks to cosign, and how far each has. Whoever relies on them
     * counts cosignatures in `/log/cosigned` by keys from elsewhere.
     */
    witnesses: z.array(
      z.object({
        name: z.string(),
        vkey: z.string(),
        /** Size of the largest tree that it cosigned; 0 before the first. */
        size: z.int(),
        since_ms: z.nullable(timeMs),
        at_ms: z.nullable(timeMs),
      }),
    ),
    bytes_per_day: z.nullable(z.int()),
    /** Indexes of leaves that each name a log this one succeeds and the leaves lost. */
    successions: z.array(z.int()),
  }),
  errors: ["server.unavailable"],
});

export const getBuild = defineCall({
  method: "GET",
  path: "/api/log/getBuild",
  summary: "The newest leaf that says which pages are served",
  access: "public",
  input: nothing,
  answer: z.object({
    /** Null before the first: this instance has never served pages. */
    build: z.nullable(
      z.object({
        leaf: z.int(),
        version: z.string(),
        /** SHA-256 of `/build.json`, the list of files (docs/formats/build.md). */
        list: hash,
      }),
    ),
  }),
  errors: [],
});

export const getInclusion = defineCall({
  method: "GET",
  path: "/api/log/getInclusion",
  summary: "RFC 9162 inclusion proof of one leaf in the tree of a size",
  access: "public",
  input: z.object({ leaf: size, size }),
  answer: z.object({ leaf: z.int(), size: z.int(), leaf_hash: hash, path: z.array(hash) }),
  errors: ["log.size_unknown"],
});

export const getConsistency = defineCall({
  method: "GET",
  path: "/api/log/getConsistency",
  summary: "RFC 9162 consistency proof between two tree sizes",
  access: "public",
  input: z.object({ from: size, to: size }),
  answer: z.object({ from: z.int(), to: z.int(), path: z.array(hash) }),
  errors: ["log.size_unknown"],
});

export const getAuditHead = defineCall({
  method: "GET",
  path: "/api/log/getAuditHead",
  summary: "The newest leaf of the audit chain in the tree of a size",
  access: "public",
  input: z.object({ size }),
  answer: z.object({
    /** Null before the first. */
    head: z.nullable(z.object({ leaf: z.int(), seq: z.int(), hash })),
  }),
  errors: ["log.size_unknown"],
});

export const getPublication = defineCall({
  method: "GET",
  path: "/api/log/getPublication",
  summary: "The receipt of a published text or offer, with all of the text (docs/formats/audit.md)",
  access: "public",
  input: z.object({ publication: id }),
  answer: z.record(z.string(), z.unknown()),
  errors: ["log.publication_unknown", "log.receipt_not_ready"],
});

export const calls = {
  getLogState,
  getBuild,
  getInclusion,
  getConsistency,
  getAuditHead,
  getPublication,
};
