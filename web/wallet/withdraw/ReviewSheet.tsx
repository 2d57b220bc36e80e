import { useState } from "react";
import { useIntl } from "react-intl";
import { CallError } from "#api/client.ts";
import { getWalletList } from "#api/wallet.ts";
import { getWithdrawList, getWithdrawTerms, withdraw } from "#api/withdraw.ts";
import { type Coin, scaleOf } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { Amount } from "#ui/Amount.tsx";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { toast } from "#ui/toast.ts";
import { isPinError } from "#web/app/pin/isPinError.ts";
import { PinSheet } from "#web/app/pin/PinSheet.tsx";
import { openSignIn } from "#web/app/session/sheets.ts";
import { refresh } from "#web/app/useCall.ts";
import { useSend } from "#web/app/useSend.ts";
import { useSentence } from "#web/app/useSentence.ts";

export interface Wish {
  coin: Coin;
  /** Everything available at the moment it is placed, whatever it is by then. */
  all: boolean;
  quote: { amount: bigint; fee: bigint; leaves: bigint };
  address: string;
  network: string;
  /** Whose balance was shown: another tab may have started over since. */
  attemptId: string;
}

interface ReviewProps {
  wish: Wish;
  pinSet: boolean;
  onPlaced: () => void;
  onClose: () => void;
}

/** Says once more where the money goes, asks the PIN if one is set, and withdraws. Pressing again never withdraws twice. */
export function ReviewSheet({ wish, pinSet, onPlaced, onClose }: ReviewProps) {
  const { formatMessage } = useIntl();
  const say = (id: string) => formatMessage({ id });
  const { coin, quote } = wish;
  const { place, busy, failure, pin } = usePlace(wish, onPlaced);
  const begin = () => (pinSet ? pin.ask() : void place());
  return (
    <>
      <Sheet
        open
        onOpenChange={(open) => {
          if (!open && !busy) onClose();
        }}
        title={formatMessage({ id: "withdraw.review.title" }, { coin })}
        actions={
          <>
            <Button block busy={busy} onClick={begin}>
              {say("withdraw.do")}
            </Button>
            <Button block variant="quiet" disabled={busy} onClick={onClose}>
              {say("withdraw.back")}
            </Button>
          </>
        }
      >
        <Section className="-mx-4">
          <Row
            label={say("withdraw.cost.from")}
            hint={wish.all ? say("withdraw.review.all") : undefined}
            value={<Amount value={quote.amount} coin={coin} alignDigits={2} />}
          />
          <Row
            label={say("withdraw.cost.fee")}
            value={<Amount value={quote.fee} coin={coin} alignDigits={2} />}
          />
          <Row
            label={say("withdraw.cost.leaves")}
            value={
              <Amount value={quote.leaves} coin={coin} alignDigits={2} className="font-strong" />
            }
          />
        </Section>
        <p className="mt-4 text-small text-ink-soft">{say("withdraw.review.to")}</p>
        <p className="mt-1 font-mono text-small break-all">{wish.address}</p>
        <p className="mt-4 text-small text-ink-soft">{say("withdraw.review.body")}</p>
        <p className="mt-2 text-small text-ink-soft">{say("withdraw.review.final")}</p>
        {failure ? (
          <div className="mt-4">
            <ErrorNote>{failure}</ErrorNote>
          </div>
        ) : null}
      </Sheet>
      <PinSheet
        open={pin.asking}
        onOpenChange={(open) => {
          if (!open) pin.close();
        }}
        onPin={(typed) => void place(typed)}
        busy={busy}
        error={pin.error}
      />
    </>
  );
}

function usePlace({ coin, all, quote, address, attemptId }: Wish, onPlaced: () => void) {
  const sentence = useSentence();
  const sending = useSend(withdraw);
  const [failure, setFailure] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const [pinError, setPinError] = useState<string | null>(null);
  const place = async (pin?: string) => {
    if (sending.busy) return;
    setFailure(null);
    setPinError(null);
    try {
      const amount = all ? "all" : formatDecimal(quote.amount, scaleOf(coin));
      const { msg } = await sending.send({
        coin,
        amount,
        address,
        attempt_id: attemptId,
        ...(pin ? { pin } : {}),
      });
      toast(msg);
      setAsking(false);
      onPlaced();
    } catch (error) {
      const name = error instanceof CallError ? error.error : "";
      if (isPinError(name)) {
        setAsking(true);
        // The first time it only asks.
        setPinError(pin === undefined ? null : sentence(error));
      } else {
        setAsking(false);
        setFailure(sentence(error));
      }
      if (name === "session.required") openSignIn();
    }
    await Promise.all([
      refresh(getWithdrawList),
      refresh(getWithdrawTerms),
      refresh(getWalletList),
    ]);
  };
  return {
    place,
    busy: sending.busy,
    failure,
    pin: {
      asking,
      error: pinError,
      ask: () => {
        setPinError(null);
        setAsking(true);
      },
      close: () => setAsking(false),
    },
  };
}
