import type {
  KeptAcknowledgement,
  SignedAcknowledgement,
} from "#core/transparency-log/acknowledgement.ts";
import { createStore } from "#ui/createStore.ts";
import { browserStorage } from "#web/lib/storage.ts";

/** This browser's record of a money call that was accepted. */
export interface StoredAcknowledgement {
  /** Null when the server answered without a promise. */
  kept: KeptAcknowledgement | null;
  sent: KeptAcknowledgement["sent"];
  /** Real time of the answer. */
  answeredMs: number;
  /** `open` until the log shows whether the promise was kept. */
  state: "open" | "kept" | "broken";
  /** How the promise was broken; its message is `receipt.problem.<name>`. */
  problem: string | null;
  /** True if the reader has been notified of the broken promise. */
  notified: boolean;
}

/**
 * The number of promises stored in this browser, about 1.7 kB each. Beyond it the oldest kept one
 * is removed first, then the oldest open one; a broken one stays until there are only broken ones.
 */
const acknowledgementsMax = 200;

/** Notifies of changes to the stored promises; `changed` counts them. */
export const acknowledgementStore = createStore({ changed: 0 });

export function readAcknowledgements(): StoredAcknowledgement[] {
  const value = browserStorage.readJson("acknowledgements");
  return Array.isArray(value) ? (value as unknown[]).filter(isStoredAcknowledgement) : [];
}

/** Storage may hold anything. The signed parts are checked when they are used. */
function isStoredAcknowledgement(value: unknown): value is StoredAcknowledgement {
  const storedAcknowledgement = value as StoredAcknowledgement | null;
  return (
    typeof storedAcknowledgement === "object" &&
    storedAcknowledgement !== null &&
    typeof storedAcknowledgement.sent?.key === "string" &&
    typeof storedAcknowledgement.sent.call === "string" &&
    Number.isSafeInteger(storedAcknowledgement.answeredMs) &&
    ["open", "kept", "broken"].includes(storedAcknowledgement.state)
  );
}

/** Replaces the stored promise of one call, found by its key; adds it if there is none yet. */
export function writeAcknowledgement(acknowledgement: StoredAcknowledgement): void {
  const storedAcknowledgements = readAcknowledgements();
  const position = storedAcknowledgements.findIndex(
    ({ sent }) => sent.key === acknowledgement.sent.key,
  );
  if (position < 0) storedAcknowledgements.push(acknowledgement);
  else storedAcknowledgements[position] = acknowledgement;
  for (const state of ["kept", "open", "broken"] as const) {
    for (
      let index = 0;
      index < storedAcknowledgements.length && storedAcknowledgements.length > acknowledgementsMax;
    ) {
      if (storedAcknowledgements[index]!.state === state) storedAcknowledgements.splice(index, 1);
      else index += 1;
    }
  }
  browserStorage.write("acknowledgements", JSON.stringify(storedAcknowledgements));
  acknowledgementStore.set({ changed: acknowledgementStore.read().changed + 1 });
}

/**
 * Stores the promise that answered a money call, or that there was none. Never rejects: the call
 * has been accepted even if storing fails.
 */
export async function storeAcknowledgement(
  { call, key, input, at_ms }: { call: string; key: string; input: unknown; at_ms: number },
  acknowledgement: SignedAcknowledgement | null,
): Promise<void> {
  try {
    const body_hash = acknowledgement ? await bodyHash(call, input, acknowledgement) : "";
    const callSent = { call, key, body_hash, at_ms };
    writeAcknowledgement({
      kept: acknowledgement && {
        format: "drydock.acknowledgement.kept/1",
        practice: true,
        backing: "none",
        acknowledgement,
        certificate: await readCertificate(),
        sent: callSent,
      },
      sent: callSent,
      answeredMs: Date.now(),
      state: acknowledgement ? "open" : "broken",
      problem: acknowledgement ? null : "acknowledgement_missing",
      notified: false,
    });
  } catch {
    // Storage or network refused; there is nothing to compare with then.
  }
}

/** The hash of what this browser sent, which the promise must contain; a PIN is never hashed. */
async function bodyHash(
  call: string,
  input: unknown,
  { promise }: SignedAcknowledgement,
): Promise<string> {
  const [{ hashBody }, { bytesToHex }] = await Promise.all([
    import("#core/ledger/ids.ts"),
    import("#core/transparency-log/bytes.ts"),
  ]);
  const { pin: _pin, ...body } = JSON.parse(JSON.stringify(input)) as Record<string, string>;
  const { world } = JSON.parse(promise) as { world?: unknown };
  return bytesToHex(hashBody(String(world), call, body));
}

/** The certificate of the key that signs; null when it cannot be fetched. */
export async function readCertificate(): Promise<string | null> {
  const response = await fetch("/log/acknowledgement-key", { cache: "no-store" }).catch(() => null);
  return response?.ok ? await response.text() : null;
}
