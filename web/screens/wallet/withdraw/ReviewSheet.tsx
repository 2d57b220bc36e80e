import { getWalletList } from "#api/routes/wallet.ts";
import { getWithdrawList, getWithdrawTerms, withdraw } from "#api/routes/withdraw.ts";
import { type Coin, coinScale } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import type { Network } from "#core/wallet/networks.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { ConfirmSheet } from "#web/features/confirm/ConfirmSheet.tsx";
import { usePinAction } from "#web/features/pin/usePinAction.ts";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useAddressNote } from "./useAddressNote.ts";

export interface WithdrawParams {
  coin: Coin;
  /** Withdraws everything available at the moment of placement, however much that is. */
  isAll: boolean;
  quote: { amount: bigint; fee: bigint; leaves: bigint };
  address: string;
  network: Network;
  /** The attempt whose balance was shown: another tab may have started over since. */
  attemptId: string;
}

interface ReviewProps {
  params: WithdrawParams;
  isPinSet: boolean;
  onPlaced: () => void;
  onClose: () => void;
}

/**
 * Restates where the money goes, asks for the PIN if one is set, and withdraws. Pressing again
 * never withdraws twice.
 */
export function ReviewSheet({ params, isPinSet, onPlaced, onClose }: ReviewProps) {
  const t = useText();
  const { coin, quote } = params;
  const note = useAddressNote({ ok: true, address: params.address, network: params.network });
  const { pinned, isBusy } = usePlaceWithdrawal(params, onPlaced);
  const amount = (value: bigint) => <Amount value={value} coin={coin} alignDigits={2} />;
  return (
    <ConfirmSheet
      title={t("withdraw.review.title", { coin })}
      facts={[
        {
          label: t("withdraw.cost.from"),
          hint: params.isAll ? t("withdraw.review.all") : undefined,
          value: amount(quote.amount),
        },
        { label: t("withdraw.cost.fee"), value: amount(quote.fee) },
        { label: t("withdraw.cost.leaves"), value: amount(quote.leaves), isOutcome: true },
      ]}
      destination={{
        label: t("withdraw.review.to"),
        address: params.address,
        notes: <p className="text-small text-ink-soft">{note.hint}</p>,
      }}
      notes={[t("withdraw.review.body"), t("withdraw.review.final")]}
      action={{
        verb: t("withdraw.do"),
        run: () => (isPinSet ? pinned.pin.ask() : void pinned.go()),
      }}
      back={t("withdraw.back")}
      busy={isBusy}
      failure={pinned.failure}
      pinned={pinned}
      onClose={onClose}
    />
  );
}

function usePlaceWithdrawal(
  { coin, isAll, quote, address, attemptId }: WithdrawParams,
  onPlaced: () => void,
) {
  const { send: placeWithdrawal, isBusy } = useApiMutation(withdraw);
  const pinAction = usePinAction(async (pin) => {
    try {
      const amount = isAll ? "all" : formatDecimal(quote.amount, coinScale(coin));
      const { msg } = await placeWithdrawal({
        coin,
        amount,
        address,
        attempt_id: attemptId,
        ...pin,
      });
      toast(msg);
      onPlaced();
    } finally {
      // The figures shown may have changed whether or not it was refused.
      void Promise.all([
        invalidate(getWithdrawList),
        invalidate(getWithdrawTerms),
        invalidate(getWalletList),
      ]);
    }
  });
  return { pinned: pinAction, isBusy };
}
