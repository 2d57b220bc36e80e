import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { ErrorName } from "#api/errors.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { RealClock } from "#server/platform/clock/clock.ts";
import { createRateLimit } from "#server/platform/http/limits/rateLimit.ts";
import type { PictureErrorCode } from "#server/platform/images/image.ts";
import { createPersonQueue } from "#server/platform/personQueue.ts";
import { createSemaphore } from "#server/platform/semaphore.ts";

/** The contents of a picture. */
export interface DecodedImage {
  /** The texts of its QR codes, each once. */
  texts: string[];
  width: number;
  height: number;
  /** The picture as it would be stored; null unless its only code has the form that is stored. */
  webp: Uint8Array | null;
}

/** A domain's rules for images: the stored form, and the refusal of the rest. */
export interface DecodeRules {
  /** A picture is encoded for storage only if its single code matches this pattern. */
  codePattern: RegExp;
  /** For anything but JPEG, PNG and WebP. */
  wrongType: ErrorName;
  /** For what cannot be decoded; `reason` in its data: `pixels`, `animated` or `damaged`. */
  unreadable: ErrorName;
}

export interface DecodeRequest {
  id: number;
  bytes: Uint8Array;
  /** Source of the regular expression. */
  codePattern: string;
}

export type DecodeResult =
  | { id: number; ok: true; image: DecodedImage }
  | { id: number; ok: false; error: PictureErrorCode };

/** `isFull`: the process has grown so much that it must be replaced. */
type DecodeResponse = DecodeResult & { isFull: boolean };

export interface ImageDecoder {
  /**
   * Decodes a person's picture and reads its QR codes in a separate process. Throws the rules'
   * errors (`damaged` also if that process gave up), `server.unavailable` if too many are waiting,
   * and `request.too_many` if the person's pictures of the day are used up.
   */
  decode(userId: string, bytes: Uint8Array, rules: DecodeRules): Promise<DecodedImage>;
  close(): Promise<void>;
}

/** People whose picture waits while another's is decoded; each has its bytes in memory. */
const waitingMax = 39;
/** Pictures of one person that wait for each other; only the first of them waits with others'. */
const ownWaitingMax = 3;
/**
 * Pictures of one person that are decoded, regardless of the outcome: this many as a burst, and as
 * many again each following day. Counted before decoding, because decoding is the cost.
 */
const ownPerDay = 200;
/** Real milliseconds until a busy process is killed, and until an idle one is. */
const timeoutMs = 15_000;
const idleMs = 10_000;

/** Decodes pictures one at a time across all senders, so that memory is bounded by one picture. */
export function createImageDecoder(clock: RealClock): ImageDecoder {
  const inTurn = createPersonQueue(ownWaitingMax);
  const quota = createRateLimit({ perSecond: ownPerDay / 86_400, burst: ownPerDay }, clock);
  let child: ChildProcess | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  const slots = createSemaphore(1, undefined, waitingMax);
  let nextId = 1;
  /** Settles when everything that was asked for so far has ended. */
  let allDecodes: Promise<unknown> = Promise.resolve();

  const end = async () => {
    const ending = child;
    child = null;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const exit = once(ending, "exit");
    ending.ref();
    ending.kill("SIGKILL");
    await exit;
  };
  const request = async (bytes: Uint8Array, rules: DecodeRules): Promise<DecodedImage> => {
    clearTimeout(idleTimer);
    if (child && !child.connected) await end();
    child ??= start();
    const id = nextId++;
    const answer = await getResponse(child, { id, bytes, codePattern: rules.codePattern.source });
    if (answer === null) {
      await end();
      throw toApiError("damaged", rules);
    }
    if (answer.isFull) await end();
    else {
      idleTimer = setTimeout(() => void end(), idleMs);
      idleTimer.unref();
    }
    if (!answer.ok) throw toApiError(answer.error, rules);
    return answer.image;
  };
  const decode: ImageDecoder["decode"] = (userId, bytes, rules) =>
    inTurn(userId, async () => {
      const leave = await slots.take();
      try {
        // A refused upload has used up nothing.
        quota.require(userId);
        return await request(bytes, rules);
      } finally {
        leave();
      }
    });
  return {
    decode: (...params) => {
      const decoding = decode(...params);
      allDecodes = Promise.allSettled([allDecodes, decoding]).then(() => {});
      return decoding;
    },
    close: async () => {
      await allDecodes;
      clearTimeout(idleTimer);
      await end();
    },
  };
}

function toApiError(code: PictureErrorCode, { wrongType, unreadable }: DecodeRules): ApiError {
  return code === "type" ? new ApiError(wrongType) : new ApiError(unreadable, { reason: code });
}

const root = join(import.meta.dirname, "../../..");

/**
 * The process may read the program's own code and its packages and nothing else: not the data
 * directory, even where that is inside the program's. It may write no file, open no connection and
 * start no process. Node enforces this for JavaScript only, not for the decoder library's native
 * code, whose other loaders are blocked instead.
 */
export const confined = [
  "--permission",
  "--allow-addons",
  "--disable-warning=SecurityWarning",
  ...["api", "core", "i18n", "server", "package.json"].map((part) => join(root, part)),
  ...[join(root, "node_modules"), realpathSync(join(root, "node_modules"))],
].map((part) => (part.startsWith("--") ? part : `--allow-fs-read=${part}`));

function start(): ChildProcess {
  const child = fork(join(import.meta.dirname, "decoderProcess.ts"), [], {
    execArgv: ["--max-old-space-size=96", ...confined],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    // One arena, and freed memory is returned immediately: a picture's buffers are large and few.
    env: {
      MALLOC_ARENA_MAX: "1",
      MALLOC_TRIM_THRESHOLD_: "131072",
      MALLOC_MMAP_THRESHOLD_: "131072",
    },
  });
  child.on("error", () => {});
  child.unref();
  child.channel?.unref();
  return child;
}

/** Null if the process ended or timed out. */
async function getResponse(
  child: ChildProcess,
  question: DecodeRequest,
): Promise<DecodeResponse | null> {
  const answer = Promise.withResolvers<DecodeResponse | null>();
  const onMessage = (message: unknown) => {
    const response = message as DecodeResponse;
    if (response.id === question.id) answer.resolve(response);
  };
  const onExit = () => answer.resolve(null);
  const timer = setTimeout(onExit, timeoutMs);
  child.on("message", onMessage).once("exit", onExit);
  child.send(question, (error) => {
    if (error) onExit();
  });
  try {
    return await answer.promise;
  } finally {
    clearTimeout(timer);
    child.off("message", onMessage).off("exit", onExit);
  }
}
