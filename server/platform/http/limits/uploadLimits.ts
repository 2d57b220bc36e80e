import { ApiError } from "#server/platform/apiError.ts";

/** The limits on uploads of one call per process. Times are real milliseconds. */
export interface UploadLimits {
  /** Most bytes held at a time, for all people together and for one. */
  heldMax: number;
  ownHeldMax: number;
  /** Most concurrent uploads of one person. */
  ownMax: number;
  /** How long nothing may arrive. */
  idleMs: number;
  /** Least bytes a second, on average, once the upload has run for twice `idleMs`. */
  bytesPerSecond: number;
}

/**
 * 16 KiB a second is a third of a slow phone's 300 kbit/s. A person's own room is for three pictures
 * of 6 MB, or two files of 8 MB.
 */
export const uploadLimits: UploadLimits = {
  heldMax: 64 * 1024 * 1024,
  ownHeldMax: 18 * 1024 * 1024,
  ownMax: 3,
  idleMs: 10_000,
  bytesPerSecond: 16 * 1024,
};

/** One upload's part of the room. */
export interface UploadSlot {
  /** Counts bytes that are now held. Throws `server.unavailable` or `request.too_many`. */
  take: (bytes: number) => void;
  /**
   * Rejects with `request.too_slow`, or with `server.unavailable` when the upload has to give way;
   * until `arrived`.
   */
  readonly cut: Promise<never>;
  /** The upload is complete: its memory now waits for the server, not for the client. */
  arrived: () => void;
  /** Releases the upload's memory. */
  leave: () => void;
}

interface Upload {
  userId: string;
  sinceMs: number;
  held: number;
  receiving: boolean;
  end(error: ApiError): void;
}

/**
 * Room for uploads. Where there is none, an upload that has run for longer than `idleMs` gives way,
 * the slowest first: so that no client holds it by sending slowly, while a slow phone is not
 * refused as long as there is room.
 */
export function createUploadBudget(limits: UploadLimits) {
  const uploads = new Set<Upload>();
  const sum = (matches: (upload: Upload) => boolean) =>
    [...uploads].reduce((sum, upload) => sum + (matches(upload) ? upload.held : 0), 0);
  const findSlowest = (excluded: Upload): Upload | undefined => {
    const nowMs = performance.now();
    const rate = (upload: Upload) => upload.held / (nowMs - upload.sinceMs);
    return [...uploads]
      .filter(
        (upload) =>
          upload !== excluded && upload.receiving && nowMs - upload.sinceMs > limits.idleMs,
      )
      .toSorted((a, b) => rate(a) - rate(b))[0];
  };

  /** `received`: bytes that have arrived on the upload's connection so far. */
  const enter = (userId: string, received: () => number): UploadSlot => {
    const ownCount = [...uploads].filter((item) => item.userId === userId).length;
    if (ownCount >= limits.ownMax)
      throw new ApiError("request.too_many", { retry_after_seconds: 1 });
    const cutSignal = Promise.withResolvers<never>();
    cutSignal.promise.catch(() => {});
    const stop = watch(limits, received, () => upload.end(new ApiError("request.too_slow")));
    const upload: Upload = {
      userId,
      sinceMs: performance.now(),
      held: 0,
      receiving: true,
      end: (error) => {
        leave();
        cutSignal.reject(error);
      },
    };
    const leave = () => {
      stop();
      uploads.delete(upload);
    };
    uploads.add(upload);
    return {
      take: (bytes) => {
        if (!uploads.has(upload)) throw new ApiError("request.malformed", { field: "body" });
        if (sum((item) => item.userId === userId) + bytes > limits.ownHeldMax) {
          throw new ApiError("request.too_many", { retry_after_seconds: 5 });
        }
        while (sum(() => true) + bytes > limits.heldMax) {
          const slowestUpload = findSlowest(upload);
          if (!slowestUpload) throw new ApiError("server.unavailable", { retry_after_seconds: 5 });
          slowestUpload.end(new ApiError("server.unavailable", { retry_after_seconds: 5 }));
        }
        upload.held += bytes;
      },
      cut: cutSignal.promise,
      arrived: () => {
        stop();
        upload.receiving = false;
      },
      leave,
    };
  };
  return { enter };
}

/** Calls `tooSlow` once when the bytes of `received` stop growing, or grow too slowly. */
function watch(
  { idleMs, bytesPerSecond }: UploadLimits,
  received: () => number,
  tooSlow: () => void,
): () => void {
  const first = received();
  const sinceMs = performance.now();
  let last = { bytes: first, atMs: sinceMs };
  const timer = setInterval(() => {
    const [bytes, nowMs] = [received(), performance.now()];
    if (bytes > last.bytes) last = { bytes, atMs: nowMs };
    const ranMs = nowMs - sinceMs;
    const isIdle = nowMs - last.atMs >= idleMs;
    const isSlow = ranMs >= 2 * idleMs && (bytes - first) * 1_000 < bytesPerSecond * ranMs;
    if (!isIdle && !isSlow) return;
    clearInterval(timer);
    tooSlow();
  }, idleMs / 10);
  timer.unref();
  return () => clearInterval(timer);
}
