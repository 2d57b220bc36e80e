import { useEffect, useState } from "react";
import type { EvidenceFile } from "#core/evidence/evidenceSchema.ts";
import { loadVerifier } from "#web/features/receipt/logView.ts";
import type { Alterable } from "#web/features/receipt/tampering/alterable.ts";
import { listAlterables } from "#web/features/receipt/tampering/alterables.ts";
import {
  type CheckedCopy,
  createEvidenceSubject,
  createLogSubject,
  type Subject,
} from "#web/features/receipt/tampering/alteredCheck.ts";

/** The values to falsify in a receipt that agrees, and its check; null until that is known. */
export function useSubject(
  receipt: unknown,
  result: CheckedCopy,
): { subject: Subject; alterables: Alterable[] } | null {
  const [loaded, setLoaded] = useState<{ subject: Subject; alterables: Alterable[] } | null>(null);
  useEffect(() => {
    let current = true;
    const run = async () => {
      const { detail, proven, evidence } = result;
      if (!detail || !(proven || evidence)) return;
      const subject = proven
        ? await createLogSubject(proven)
        : // Only a file that was opened has a standing.
          createEvidenceSubject(receipt as EvidenceFile, await loadVerifier());
      if (current) setLoaded({ subject, alterables: listAlterables(detail, subject.leaves) });
    };
    // A leaf that was read once can be read again; if not, there is nothing to falsify and nothing
    // to report.
    run().catch(() => {});
    return () => {
      current = false;
    };
  }, [receipt, result]);
  return loaded;
}
