import { useState } from "react";
import { getDeletion } from "#api/routes/account.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { PinSheet } from "#web/features/pin/PinSheet.tsx";
import { getUsedWallet } from "#web/features/session/walletStorage.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { DeletionForm } from "#web/screens/account/personal-data/DeletionForm.tsx";
import { DeletionReceiptView } from "#web/screens/account/personal-data/DeletionReceiptView.tsx";
import { useDeletion } from "#web/screens/account/personal-data/useDeletion.ts";

export interface DeleteSheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Opens the export, which is no longer possible after deletion. */
  onExport: () => void;
}

/**
 * Deletes the account: shows what is deleted and what stays, asks for a word and the PIN if there
 * is one, then shows the receipt. The sheet cannot be closed while the server's answer is awaited;
 * it can while a wallet's is, because a wallet may never answer.
 */
export default function DeleteSheet({ open, onOpenChange, onExport }: DeleteSheetProps) {
  const t = useText();
  const [word, setWord] = useState("");
  const { receipt, waiting, failure, pin, go, abandon } = useDeletion(word.trim());
  const plan = useApiQuery(getDeletion, {}, { enabled: open && receipt === null, staleMs: 0 });
  const errorMessage = useErrorMessage();
  if (receipt) {
    return (
      <Sheet
        open={open}
        onOpenChange={onOpenChange}
        title={t("personal-data.deleted.title")}
        description={t("personal-data.deleted.text")}
      >
        <DeletionReceiptView receipt={receipt} />
      </Sheet>
    );
  }
  const confirmationWord = plan.data?.word ?? "";
  const isWordTyped =
    confirmationWord !== "" &&
    word.trim().toLocaleLowerCase() === confirmationWord.trim().toLocaleLowerCase();
  const start = () => (plan.data?.pin_required ? pin.ask() : void go());
  const leave = (then: () => void) => {
    if (waiting === "server") return;
    abandon();
    then();
  };
  return (
    <>
      <Sheet
        open={open}
        onOpenChange={(next) => leave(() => onOpenChange(next))}
        title={t("personal-data.delete.title")}
        description={t("personal-data.delete.text")}
        actions={
          <>
            {waiting === "wallet" && getUsedWallet()?.kind === "browser" ? (
              <output className="block text-small text-ink-soft">
                {t("personal-data.delete.waiting")}
              </output>
            ) : null}
            {failure ? <ErrorNote>{failure}</ErrorNote> : null}
            <Button
              variant="danger"
              block
              busy={waiting !== "nothing"}
              disabled={!isWordTyped}
              onClick={start}
            >
              {t("personal-data.delete.do")}
            </Button>
            <Button
              variant="outline"
              block
              disabled={waiting === "server"}
              onClick={() => leave(() => onOpenChange(false))}
            >
              {t("personal-data.delete.keep")}
            </Button>
          </>
        }
      >
        {plan.data ? (
          <DeletionForm
            plan={plan.data}
            word={word}
            onWord={setWord}
            onExport={() => leave(onExport)}
          />
        ) : plan.isError ? (
          <ErrorNote busy={plan.isFetching} onRetry={() => void plan.refetch()}>
            {errorMessage(plan.error)}
          </ErrorNote>
        ) : (
          <SkeletonRows count={4} />
        )}
      </Sheet>
      <PinSheet
        open={pin.isAsking && waiting !== "wallet"}
        onOpenChange={(next) => {
          if (!next) pin.close();
        }}
        onPin={(six) => void go(six)}
        busy={waiting !== "nothing"}
        error={pin.error}
      />
    </>
  );
}
