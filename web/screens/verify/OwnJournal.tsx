import { useState } from "react";
import { getJournalReceipt } from "#api/routes/records.ts";
import { getOwnerSalt } from "#api/routes/session.ts";
import { parseJournalReceipt } from "#core/records/journalReceiptSchema.ts";
import type { JournalOwner } from "#core/records/journalRequirements.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { AtVenues } from "#web/features/exchange/AtVenues.tsx";
import Receipt, { type ReceiptFrame } from "#web/features/receipt/Receipt.tsx";
import { client } from "#web/lib/api/client.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

interface Props {
  receipt: unknown;
  id: string;
  frame: ReceiptFrame;
}

/** Returns true if a receipt, not checked yet, says that it is one of an exchange. */
function isExchange(receipt: unknown): boolean {
  return parseJournalReceipt(receipt)?.journal.kind.split(".")[0] === "exchange";
}

/**
 * The receipt of the person's own journal. On demand it is fetched again under the newest
 * commitment, and its accounts are compared with the wallet in this browser: with an address that
 * the server cannot choose.
 */
export function OwnJournal({ receipt, id, frame }: Props) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const [demandedCheck, setDemandedCheck] = useState<{
    receipt: unknown;
    owner: JournalOwner;
  } | null>(null);
  const [turn, setTurn] = useState(0);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const demand = async () => {
    setIsBusy(true);
    setError(null);
    try {
      const { findSessionSigner } = await import("#web/features/session/signerOfSession.ts");
      const signer = await findSessionSigner();
      if (!signer) {
        setError(t("verify.own.demand.noWallet"));
        return;
      }
      const [newest, { data: ownSalt }] = await Promise.all([
        client.call(getJournalReceipt, { journal_id: id, commitment: "newest" }),
        client.call(getOwnerSalt, {}),
      ]);
      setDemandedCheck({
        receipt: newest.data,
        owner: { address: signer.address, salt: ownSalt.salt },
      });
      setTurn(turn + 1);
    } catch (error) {
      setError(errorMessage(error));
    } finally {
      setIsBusy(false);
    }
  };
  const withDemand: ReceiptFrame = (body, steps, after) =>
    frame(
      body,
      steps,
      <>
        {after}
        {isExchange(receipt) ? <AtVenues journalId={id} /> : null}
        <div className="grid gap-3 px-4 pt-6">
          <p className="text-small text-ink-soft">{t("verify.own.demand.note")}</p>
          <div>
            <Button variant="outline" busy={isBusy} onClick={() => void demand()}>
              {t("verify.own.demand")}
            </Button>
          </div>
          {error === null ? null : <ErrorNote>{error}</ErrorNote>}
        </div>
      </>,
    );
  return (
    <Receipt
      key={turn}
      receipt={demandedCheck?.receipt ?? receipt}
      owner={demandedCheck?.owner ?? null}
      isOwn
      frame={withDemand}
    />
  );
}
