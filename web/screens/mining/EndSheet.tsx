import type { Lease } from "#api/mining.ts";
import { endLease } from "#api/routes/mining.ts";
import { coinScale } from "#core/money/coins.ts";
import { formatDecimal, toMinorUnits } from "#core/money/decimal.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { ConfirmSheet } from "#web/features/confirm/ConfirmSheet.tsx";
import { useConfirm } from "#web/features/confirm/useConfirm.ts";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";

import { refreshLeases } from "./useLeaseUpdates.ts";

/**
 * The refund and the costs of ending now, then the button. The number of days shown is the number
 * sent.
 */
export default function EndSheet({ lease, onClose }: { lease: Lease; onClose: () => void }) {
  const t = useText();
  const { send, isBusy } = useApiMutation(endLease);
  const refund = lease.end_now;
  const keptCost = refund
    ? toMinorUnits(lease.price_per_day, coinScale("pUSDT")) * BigInt(refund.unused_days) -
      toMinorUnits(refund.price, coinScale("pUSDT"))
    : 0n;
  const { confirm, failure } = useConfirm({
    send: (unusedDays: number) => send({ lease_id: lease.lease_id, unused_days: unusedDays }),
    done: () => t("mining.end.done"),
    onDone: () => {
      onClose();
      void refreshLeases();
    },
    // A new day may have begun in the meantime, which changes the refund.
    onRefused: () => void refreshLeases(),
  });
  const amount = (value: string) => <Amount value={value} coin="pUSDT" />;
  return (
    <ConfirmSheet
      title={t("mining.end.title", { model: lease.model })}
      facts={
        refund
          ? [
              { label: t("mining.end.unused"), value: refund.unused_days },
              { label: t("mining.refundPrice"), value: amount(refund.price) },
              { label: t("mining.refundPower"), value: amount(refund.power) },
              { label: t("mining.end.lost"), value: amount(formatDecimal(keptCost, 6)) },
            ]
          : []
      }
      notes={refund ? [t("mining.end.rule")] : [t("mining.end.nothing"), t("mining.end.rule")]}
      action={
        refund
          ? {
              verb: t("mining.end.do"),
              run: () => void confirm(refund.unused_days),
              isDanger: true,
            }
          : null
      }
      back={t("mining.end.keep")}
      busy={isBusy}
      failure={failure}
      onClose={onClose}
    />
  );
}
