import { IconDownload, IconFileCertificate } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import type { CheckedReceipt } from "#web/features/receipt/check.ts";
import { LogReadError } from "#web/features/receipt/logReader.ts";
import { saveFile } from "#web/lib/saveFile.ts";

interface Props {
  receipt: unknown;
  /** Null until the check has ended. */
  result: CheckedReceipt<unknown> | null;
  /** Further buttons. */
  children: ReactNode;
}

/** Saves the receipt, alone or with all of the log that its check needs. */
export function SaveReceipt({ receipt, result, children }: Props) {
  const t = useText();
  const { save, isBusy, problem } = useSaveEvidence(receipt, result);
  const statedReceipt = result?.evidence?.receipt ?? receipt;
  return (
    <div className="grid gap-3 px-4 pt-6">
      <div className="flex flex-wrap gap-3">
        <Button
          variant="outline"
          icon={<IconDownload size={20} aria-hidden="true" />}
          onClick={() =>
            saveFile(
              buildFileName("receipt", statedReceipt),
              `${JSON.stringify(statedReceipt, null, 2)}\n`,
            )
          }
        >
          {t("receipt.download")}
        </Button>
        {result?.proven ? (
          <Button
            variant="outline"
            busy={isBusy}
            icon={<IconFileCertificate size={20} aria-hidden="true" />}
            onClick={save}
          >
            {t("receipt.evidence.save")}
          </Button>
        ) : null}
        {children}
      </div>
      {problem ? (
        <ErrorNote onRetry={save} busy={isBusy}>
          {t(`receipt.problem.${problem}`)}
        </ErrorNote>
      ) : null}
      {result?.proven ? (
        <p className="text-small text-ink-soft">{t("receipt.evidence.note")}</p>
      ) : null}
    </div>
  );
}

/** Makes and saves the evidence file; names the problem if that cannot be done. */
function useSaveEvidence(receipt: unknown, result: Props["result"]) {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const save = async () => {
    if (!result?.proven) return;
    setIsBusy(true);
    setProblem(null);
    // A receipt that contradicts others agrees by itself; only both files together show the
    // contradiction.
    const failedStep = result.steps.find(({ ok, step }) => !ok && step !== "compared");
    const finding = failedStep?.mismatch
      ? { step: failedStep.step, difference: failedStep.mismatch }
      : null;
    try {
      const { createEvidence } = await import("#web/features/receipt/evidence/createEvidence.ts");
      const file = await createEvidence(result.proven, finding);
      if (file.ok) saveFile(buildFileName("evidence", receipt), file.text);
      else setProblem(file.error);
    } catch (error) {
      setProblem(error instanceof LogReadError ? error.problem : "log_unreachable");
    } finally {
      setIsBusy(false);
    }
  };
  return { save: () => void save(), isBusy, problem };
}

function buildFileName(kind: "receipt" | "evidence", receipt: unknown): string {
  const { order, journal, lease, pool_id, number } = receipt as {
    order?: { order_id?: unknown };
    journal?: { id?: unknown };
    lease?: { lease_id?: unknown };
    pool_id?: unknown;
    number?: unknown;
  };
  const isTrade = typeof pool_id === "string" && typeof number === "number";
  const receiptId =
    order?.order_id ??
    journal?.id ??
    lease?.lease_id ??
    (isTrade ? `${pool_id}-${number}` : undefined);
  const id = typeof receiptId === "string" ? receiptId : "unnamed";
  return `drydock-${kind}-${id.replaceAll(/[^0-9A-Za-z-]/g, "")}.json`;
}
