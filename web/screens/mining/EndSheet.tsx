import { useIntl } from "react-intl";
import { endLease, type Lease } from "#api/mining.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { ConfirmSheet } from "#web/features/confirm/ConfirmSheet.tsx";
import { useConfirm } from "#web/features/confirm/useConfirm.ts";
import { useSend } from "#web/lib/useApiMutation.ts";
import { minorOf } from "./figures.ts";
import { refreshLeases } from "./useLeaseUpdates.ts";

/** What ending now gives back and what it costs, and then the button. The number of days shown is the number that is sent. */
export default function EndSheet({ lease, onClose }: { lease: Lease; onClose: () => void }) {
  const { formatMessage } = useIntl();
  const { send, busy } = useSend(endLease);
  const say = (id: string, values?: Record<string, string | number>) =>
    formatMessage({ id }, values);
  const back = lease.end_now;
  const kept = back
    ? minorOf(lease.price_per_day, 6) * BigInt(back.unused_days) - minorOf(back.price, 6)
    : 0n;
  const { confirm, failure } = useConfirm({
    send: (unusedDays: number) => send({ lease_id: lease.lease_id, unused_days: unusedDays }),
    done: () => say("mining.end.done"),
    onDone: () => {
      onClose();
      void refreshLeases();
    },
    // The day may have turned meanwhile, and with it what ending gives back.
    onRefused: () => void refreshLeases(),
  });
  const amount = (value: string) => <Amount value={value} coin="pUSDT" />;
  return (
    <ConfirmSheet
      title={say("mining.end.title", { model: lease.model })}
      facts={
        back
          ? [
              { label: say("mining.end.unused"), value: back.unused_days },
              { label: say("mining.refundPrice"), value: amount(back.price) },
              { label: say("mining.refundPower"), value: amount(back.power) },
              { label: say("mining.end.lost"), value: amount(formatDecimal(kept, 6)) },
            ]
          : []
      }
      notes={back ? [say("mining.end.rule")] : [say("mining.end.nothing"), say("mining.end.rule")]}
      action={
        back
          ? {
              verb: say("mining.end.do"),
              run: () => void confirm(back.unused_days),
              isDanger: true,
            }
          : null
      }
      back={say("mining.end.keep")}
      busy={busy}
      failure={failure}
      onClose={onClose}
    />
  );
}
