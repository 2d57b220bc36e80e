import type { Instance } from "./instance.ts";
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
  /** Null if the promise was broken or is not a valid one. */
  acknowledgement: Acknowledgement | null;
}

/** Checks an instance's promise against its current log or its archive. */
export async function checkKeptAcknowledgement(
  file: unknown,
  { instance, reader, vkeys }: { instance: Instance; reader: LogReader; vkeys: readonly string[] },
): Promise<AcknowledgementReport> {
  const { origin, size } = reader.checkpoint;
  try {
    const { acknowledgement, steps } = await checkAcknowledgement(file, {
      origin,
      size,
      vkeys,
      leaf: (index) => reader.leaf(index),
      continues: (older) => reader.continues(older),
      hashes: (leaf) => instance.file(`orders/${leaf}`),
    });
    return { acknowledgement, steps, difference: null };
  } catch (error) {
    if (!(error instanceof MismatchError)) throw error;
    return { acknowledgement: null, steps: [], difference: error };
  }
}
