import { openInstance } from "./instance.ts";
import {
  type Acknowledgement,
  checkAcknowledgement,
  type ReportedStep,
} from "./log/acknowledgement.ts";
import { MismatchError } from "./log/bytes.ts";
import type { LogReader } from "./log/logReader.ts";

export interface AcknowledgementReport {
  steps: ReportedStep[];
  difference: MismatchError | null;
  /** Null when it was broken, or is none. */
  acknowledgement: Acknowledgement | null;
}

/** Checks what an instance promised against the log that it serves now. */
export async function checkKeptAcknowledgement(
  kept: unknown,
  { url, reader, vkeys }: { url: string; reader: LogReader; vkeys: readonly string[] },
): Promise<AcknowledgementReport> {
  const { origin, size } = reader.checkpoint;
  try {
    const { acknowledgement, steps } = await checkAcknowledgement(kept, {
      origin,
      size,
      vkeys,
      leaf: (index) => reader.leaf(index),
      continues: (older) => reader.continues(older),
      hashes: (leaf) => openInstance(url).file(`orders/${leaf}`),
    });
    return { acknowledgement, steps, difference: null };
  } catch (fault) {
    if (!(fault instanceof MismatchError)) throw fault;
    return { acknowledgement: null, steps: [], difference: fault };
  }
}
