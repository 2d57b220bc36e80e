import { Worker } from "node:worker_threads";

export interface QrQuestion {
  id: number;
  /** Three bytes a pixel, row by row. */
  rgb: Uint8Array;
  width: number;
  height: number;
  timeLimitMs: number;
}

export interface QrAnswer {
  id: number;
  texts: string[];
}

export interface QrReader {
  /** The texts of all QR codes found, each once; empty when there are none or time ran out. */
  read(picture: { rgb: Uint8Array; width: number; height: number }): Promise<string[]>;
  close(): Promise<void>;
}

/** What the search may use of the processor, and when the thread is ended whatever it does, in real milliseconds. */
const searchMs = 700;
const giveUpMs = 4_000;
/** A thread that nobody asks for so long is ended; the next question starts another. */
const idleMs = 30_000;

/** Reads QR codes in one worker thread, one picture at a time. A thread that fails or takes too long is replaced. */
export function createQrReader(): QrReader {
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | null = null;
  let nextId = 1;
  let queue: Promise<unknown> = Promise.resolve();

  const end = async () => {
    const ending = worker;
    worker = null;
    await ending?.terminate();
  };
  const ask = async (picture: Parameters<QrReader["read"]>[0]): Promise<string[]> => {
    if (idle) clearTimeout(idle);
    worker ??= new Worker(new URL("./qrWorker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    });
    const asked = worker;
    asked.unref();
    const id = nextId++;
    const answer = Promise.withResolvers<string[]>();
    const timer = setTimeout(() => answer.resolve([]), giveUpMs);
    const onMessage = (message: QrAnswer) => {
      if (message.id === id) answer.resolve(message.texts);
    };
    const onFailed = () => answer.resolve([]);
    let done = false;
    asked.on("message", onMessage).once("error", onFailed).once("exit", onFailed);
    const question: QrQuestion = { id, ...picture, timeLimitMs: searchMs };
    asked.postMessage(question);
    try {
      const started = performance.now();
      const texts = await answer.promise;
      done = performance.now() - started < giveUpMs;
      return [...new Set(texts)];
    } finally {
      clearTimeout(timer);
      asked.off("message", onMessage).off("error", onFailed).off("exit", onFailed);
      if (!done || asked.threadId === -1) await end();
      idle = setTimeout(() => void end(), idleMs);
      idle.unref();
    }
  };
  return {
    read: (picture) => {
      const answer = queue.then(() => ask(picture));
      queue = answer.catch(() => {});
      return answer;
    },
    close: async () => {
      if (idle) clearTimeout(idle);
      await queue;
      if (idle) clearTimeout(idle);
      await end();
    },
  };
}
