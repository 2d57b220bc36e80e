import { createHash } from "node:crypto";
import multipart, { type Multipart, type MultipartFile } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import type { Call } from "#api/call.ts";
import type { ErrorName } from "#api/errors.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { App } from "#server/platform/http/context.ts";
import {
  createUploadBudget,
  type UploadLimits,
  uploadLimits,
} from "#server/platform/http/limits/uploadLimits.ts";

/**
 * A file of a multipart body. It is held in memory for the duration of the request, so nothing on
 * disk can be orphaned. Its JSON form (and so its part in a body's hash) is its SHA-256.
 */
export class UploadedFile {
  readonly #bytes: Buffer;
  readonly #sha256: string;
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#sha256 = createHash("sha256").update(bytes).digest("hex");
  }
  get bytes(): Buffer {
    return this.#bytes;
  }
  toJSON(): string {
    return this.#sha256;
  }
}

/** Limits for a multipart body besides its file: names and texts are short, fields few. */
const fieldsMax = 8;
const fieldBytesMax = 200;
const overheadMax = 16 * 1024;

export interface UploadOptions {
  /** The error for a file larger than the call takes. */
  tooLarge: ErrorName;
  /** Other limits than the usual ones, for tests. */
  limits?: UploadLimits;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Gives up this request's place among the uploads of its call. */
    releaseUpload: (() => void) | null;
  }
}

/**
 * Mounts a call that takes one file, with the routes that `mount` adds. Its body arrives as
 * `request.body`: texts verbatim, the file as an `UploadedFile`. Callers who are not signed in are
 * rejected before a byte of the body is read. Uploads stay in memory until a row is about to
 * reference them: a file written before it is known to be a specimen could be orphaned by a crash,
 * and would have been stored.
 */
export function mountUpload(
  app: App,
  { upload, path }: Call,
  options: UploadOptions,
  mount: (app: App) => void,
): void {
  if (!upload) throw new Error(`${path} does not take a file`);
  const room = createUploadBudget(options.limits ?? uploadLimits);
  void app.register(async (scope) => {
    await scope.register(multipart, {
      throwFileSizeLimit: false,
      limits: {
        fieldNameSize: 64,
        fieldSize: fieldBytesMax,
        fields: fieldsMax,
        files: 1,
        parts: fieldsMax + 1,
        fileSize: upload.maxBytes,
        headerPairs: 16,
      },
    });
    scope.decorateRequest("releaseUpload", null);
    scope.addHook("preValidation", async (request, reply) => {
      if (!request.session) throw new ApiError("session.required");
      try {
        const { socket } = request.raw;
        const slot = room.enter(request.session.userId, () => socket.bytesRead ?? 0);
        request.releaseUpload = slot.leave;
        const body = readBody(request, upload, options, slot.take);
        // If it is cut, reading ends with the connection.
        body.catch(() => {});
        request.body = await Promise.race([body, slot.cut]);
        slot.arrived();
      } catch (error) {
        // Do not wait for the rest of the body.
        void reply.header("connection", "close");
        throw error;
      }
    });
    scope.addHook("onResponse", async (request) => request.releaseUpload?.());
    scope.addHook("onRequestAbort", async (request) => request.releaseUpload?.());
    mount(scope as unknown as App);
  });
}

type ReceivedUpload = Record<string, string | UploadedFile>;

async function readBody(
  request: FastifyRequest,
  upload: NonNullable<Call["upload"]>,
  { tooLarge }: UploadOptions,
  take: (bytes: number) => void,
): Promise<ReceivedUpload> {
  if (!request.isMultipart()) throw new ApiError("request.malformed", { field: "body" });
  const length = Number(request.headers["content-length"] ?? 0);
  if (length > upload.maxBytes + overheadMax) throw new ApiError(tooLarge);
  const body: ReceivedUpload = Object.create(null) as ReceivedUpload;
  try {
    for await (const part of request.parts()) {
      const name = getName(part, body);
      if (part.type === "field") {
        if (part.valueTruncated || typeof part.value !== "string") throw malformed(name);
        body[name] = part.value;
      } else {
        if (name !== upload.field) throw malformed(name);
        body[name] = new UploadedFile(await readFile(part, tooLarge, take));
      }
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw malformed("body");
  }
  return { ...body };
}

function getName(part: Multipart, body: ReceivedUpload): string {
  const name = part.fieldname;
  const isPlain = typeof name === "string" && /^[a-z_]{1,32}$/.test(name);
  const isTruncated = part.type === "field" && part.fieldnameTruncated;
  // A repeated field would be two requests in one, and which was meant is not ours to guess.
  if (!isPlain || isTruncated || name in body) throw malformed("body");
  return name;
}

function malformed(field: string): ApiError {
  return new ApiError("request.malformed", { field });
}

async function readFile(
  { file }: MultipartFile,
  tooLarge: ErrorName,
  take: (bytes: number) => void,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of file as AsyncIterable<Buffer>) {
    take(chunk.length);
    chunks.push(chunk);
  }
  if (file.truncated) throw new ApiError(tooLarge);
  return Buffer.concat(chunks);
}
