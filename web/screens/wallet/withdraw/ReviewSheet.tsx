import { useIntl } from "react-intl";
import { getWalletList } from "#api/routes/wallet.ts";
import { getWithdrawList, getWithdrawTerms, withdraw } from "#api/routes/withdraw.ts";
import { type Coin, scaleOf } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { PinSheet } from "#web/features/pin/PinSheet.tsx";
import { usePinned } from "#web/features/pin/usePinned.ts";
import { useSend } from "#web/lib/useApiMutation.ts";
import { refresh } from "#web/lib/useApiQuery.ts";

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
  const { go, busy, failure, pin } = usePlace(wish, onPlaced);
  const begin = () => (pinSet ? pin.ask() : void go());
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
        onPin={(typed) => void go(typed)}
        busy={busy}
        error={pin.error}
      />
    </>
  );
}

function usePlace({ coin, all, quote, address, attemptId }: Wish, onPlaced: () => void) {
  const { send: place, busy } = useSend(withdraw);
  const pinned = usePinned(async (pin) => {
    try {
      const amount = all ? "all" : formatDecimal(quote.amount, scaleOf(coin));
      const { msg } = await place({ coin, amount, address, attempt_id: attemptId, ...pin });
      toast(msg);
      onPlaced();
    } finally {
      // Refused or not, what was shown may have changed.
      void Promise.all([
        refresh(getWithdrawList),
        refresh(getWithdrawTerms),
        refresh(getWalletList),
      ]);
    }
  });
  return { ...pinned, busy };
}
