import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { ErrorName } from "#api/errors.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { PictureFault } from "#server/platform/images/image.ts";

/** The contents of a picture. */
export interface DecodedImage {
  /** The texts of its QR codes, each once. */
  texts: string[];
  width: number;
  height: number;
  /** The picture as it would be stored; null unless its only code has the form that is stored. */
  webp: Uint8Array | null;
}

/** What a domain stores, and how it refuses the rest. */
export interface DecodeRules {
  /** The form that the picture's only code must have for the picture to be encoded for storage. */
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
  | { id: number; ok: false; fault: PictureFault };

/** `isFull`: the process has grown so much that it must be replaced. */
type DecodeResponse = DecodeResult & { isFull: boolean };

export interface ImageDecoder {
  /**
   * Decodes a picture and reads its QR codes in a separate process. Throws the rules' errors
   * (`damaged` also if that process gave up), and `server.unavailable` if too many are waiting.
   */
  decode(bytes: Uint8Array, rules: DecodeRules): Promise<DecodedImage>;
  close(): Promise<void>;
}

/** Maximum number of queued pictures; each holds its bytes in memory. */
const waitingMax = 12;
/** Real milliseconds until a busy process is killed, and until an idle one is. */
const timeoutMs = 15_000;
const idleMs = 10_000;

/**
 * Decodes pictures one at a time, whoever sent them, so that any number of them takes no more
 * memory than one.
 */
export function createImageDecoder(): ImageDecoder {
  let child: ChildProcess | null = null;
  let idle: NodeJS.Timeout | undefined;
  let waiting = 0;
  let nextId = 1;
  let queue: Promise<unknown> = Promise.resolve();

  const end = async () => {
    const ending = child;
    child = null;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = once(ending, "exit");
    ending.ref();
    ending.kill("SIGKILL");
    await ended;
  };
  const request = async (bytes: Uint8Array, rules: DecodeRules): Promise<DecodedImage> => {
    clearTimeout(idle);
    if (child && !child.connected) await end();
    child ??= start();
    const id = nextId++;
    const answer = await responseOf(child, { id, bytes, codePattern: rules.codePattern.source });
    if (answer === null) {
      await end();
      throw apiErrorOf("damaged", rules);
    }
    if (answer.isFull) await end();
    else {
      idle = setTimeout(() => void end(), idleMs);
      idle.unref();
    }
    if (!answer.ok) throw apiErrorOf(answer.fault, rules);
    return answer.image;
  };
  return {
    decode: async (bytes, rules) => {
      if (waiting >= waitingMax)
        throw new ApiError("server.unavailable", { retry_after_seconds: 2 });
      waiting += 1;
      const turn = queue.then(() => request(bytes, rules));
      queue = turn.catch(() => {});
      return turn.finally(() => {
        waiting -= 1;
      });
    },
    close: async () => {
      await queue;
      clearTimeout(idle);
      await end();
    },
  };
}

function apiErrorOf(fault: PictureFault, { wrongType, unreadable }: DecodeRules): ApiError {
  return fault === "type" ? new ApiError(wrongType) : new ApiError(unreadable, { reason: fault });
}

function start(): ChildProcess {
  const child = fork(join(import.meta.dirname, "decoderProcess.ts"), [], {
    execArgv: ["--max-old-space-size=96"],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    // One arena, and freed memory is returned at once: a picture's buffers are large and few.
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
async function responseOf(
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
