import { parentPort } from "node:worker_threads";
import { decodeQRBatch } from "qr/decode.js";
import type { QrAnswer, QrQuestion } from "#server/wallet/recharge/qrReader.ts";

/**
 * Reads QR codes in a thread of its own: it is work for the processor, and a picture made to be hard must hold up nobody. Every
 * code in the picture is wanted, for two of them mean two different things.
 */
async function read({ rgb, width, height, timeLimitMs }: QrQuestion): Promise<string[]> {
  const [found = []] = await decodeQRBatch([{ width, height, data: rgb }], {
    format: "RGB",
    effort: 4,
    timeLimit: timeLimitMs,
  });
  return found.filter((one): one is string => typeof one === "string");
}

parentPort!.on("message", (question: QrQuestion) => {
  const answer = (texts: string[]) => {
    const message: QrAnswer = { id: question.id, texts };
    parentPort!.postMessage(message);
  };
  // What cannot be read holds nothing.
  read(question).then(answer, () => answer([]));
});
