import { bytesToBase64 } from "#core/transparency-log/bytes.ts";
import type { PolicyWitness } from "#core/transparency-log/witnesses/witnessPolicy.ts";

/** Real time for a witness to answer. */
const timeoutMs = 10_000;
/** An answer is a few signature lines. */
const answerMax = 16 * 1024;

export type Submission =
  /** Lines of its answer, not verified yet. */
  | { lines: string[] }
  /** The witness cosigned another size last. */
  | { size: number }
  | { error: string };

/** `POST <submission prefix>/add-checkpoint` (https://c2sp.org/tlog-witness). */
export async function submitCheckpoint(
  witness: PolicyWitness & { url: string },
  { oldSize, proof, note }: { oldSize: number; proof: readonly Uint8Array[]; note: string },
): Promise<Submission> {
  const hashes = proof.map((hash) => `${bytesToBase64(hash)}\n`).join("");
  let response: Response;
  try {
    response = await fetch(`${witness.url}/add-checkpoint`, {
      method: "POST",
      body: `old ${oldSize}\n${hashes}\n${note}`,
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch {
    return { error: "does not answer" };
  }
  const text = await readText(response);
  if (text === null) return { error: "answers too much" };
  if (response.status === 409 && /^(0|[1-9][0-9]{0,15})\n$/.test(text))
    return { size: Number(text) };
  if (response.status !== 200) return { error: `answers ${response.status}` };
  return { lines: text.split("\n").filter((line) => line !== "") };
}

async function readText(response: Response): Promise<string | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of response.body ?? []) {
      size += part.length;
      if (size > answerMax) return null;
      parts.push(part);
    }
  } catch {
    return null;
  }
  return Buffer.concat(parts).toString("utf8");
}
