import { useState } from "react";
import { getDeletion } from "#api/routes/account.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { PinSheet } from "#web/features/pin/PinSheet.tsx";
import { usedWallet } from "#web/features/session/walletMemory.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { DeletionFacts } from "#web/screens/account/personal-data/DeletionFacts.tsx";
import { DeletionReceiptView } from "#web/screens/account/personal-data/DeletionReceiptView.tsx";
import { useDeletion } from "#web/screens/account/personal-data/useDeletion.ts";

export interface DeleteSheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Opens the export, which is no longer possible after deletion. */
  onExport: () => void;
}

/**
 * Deletes the account: what goes and what stays, a word to type, the PIN if there is one, then the
 * receipt.
 */
export default function DeleteSheet({ open, onOpenChange, onExport }: DeleteSheetProps) {
  const t = useText();
  const [word, setWord] = useState("");
  const { receipt, busy, failure, pin, go } = useDeletion(word.trim());
  const plan = useApiQuery(getDeletion, {}, { enabled: open && receipt === null, staleMs: 0 });
  const errorMessage = useErrorMessage();
  if (receipt) {
    return (
      <Sheet
        open={open}
        onOpenChange={onOpenChange}
        title={t("mydata.deleted.title")}
        description={t("mydata.deleted.text")}
      >
        <DeletionReceiptView receipt={receipt} />
      </Sheet>
    );
  }
  const asked = plan.data?.word ?? "";
  const typed =
    asked !== "" && word.trim().toLocaleLowerCase() === asked.trim().toLocaleLowerCase();
  const start = () => (plan.data?.pin_required ? pin.ask() : void go());
  return (
    <>
      <Sheet
        open={open}
        onOpenChange={(next) => {
          if (!busy) onOpenChange(next);
        }}
        title={t("mydata.delete.title")}
        description={t("mydata.delete.text")}
        actions={
          <>
            <Button variant="danger" block busy={busy} disabled={!typed} onClick={start}>
              {t("mydata.delete.do")}
            </Button>
            <Button variant="outline" block disabled={busy} onClick={() => onOpenChange(false)}>
              {t("mydata.delete.keep")}
            </Button>
          </>
        }
      >
        {plan.data ? (
          <>
            <DeletionFacts plan={plan.data} />
            <Button variant="quiet" size="small" className="mt-2 -ml-3.5" onClick={onExport}>
              {t("mydata.delete.exportFirst")}
            </Button>
            <div className="mt-4">
              <Field label={t("mydata.delete.type", { word: asked })}>
                <TextInput
                  value={word}
                  onChange={setWord}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  maxLength={60}
                />
              </Field>
            </div>
            {plan.data.sign_in_again && usedWallet()?.kind === "browser" ? (
              <p className="mt-2 text-small text-ink-soft">{t("mydata.delete.signAgain")}</p>
            ) : null}
            {failure ? (
              <div className="mt-4">
                <ErrorNote>{failure}</ErrorNote>
              </div>
            ) : null}
          </>
        ) : plan.isError ? (
          <ErrorNote busy={plan.isFetching} onRetry={() => void plan.refetch()}>
            {errorMessage(plan.error)}
          </ErrorNote>
        ) : (
          <SkeletonRows count={4} />
        )}
      </Sheet>
      <PinSheet
        open={pin.asking}
        onOpenChange={(next) => {
          if (!next) pin.close();
        }}
        onPin={(six) => void go(six)}
        busy={busy}
        error={pin.error}
      />
    </>
  );
}
