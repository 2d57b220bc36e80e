import { useState } from "react";
import { useIntl } from "react-intl";
import { endLease, type Lease } from "#api/mining.ts";
import { scaleOf } from "#core/money/coins.ts";
import { formatDecimal, minorOf } from "#core/money/decimal.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { useSend } from "#web/lib/useApiMutation.ts";
import { useSentence } from "#web/lib/useErrorMessage.ts";
import { refreshLeases } from "./useLeaseUpdates.ts";

/** What ending now gives back and what it costs, and then the button. The number of days shown is the number that is sent. */
export default function EndSheet({ lease, onClose }: { lease: Lease; onClose: () => void }) {
  const { formatMessage } = useIntl();
  const sentence = useSentence();
  const { send, busy } = useSend(endLease);
  const [failure, setFailure] = useState<string | null>(null);
  const say = (id: string, values?: Record<string, string | number>) =>
    formatMessage({ id }, values);
  const back = lease.end_now;
  const kept = back
    ? minorOf(lease.price_per_day, scaleOf("pUSDT")) * BigInt(back.unused_days) -
      minorOf(back.price, scaleOf("pUSDT"))
    : 0n;
  const end = async () => {
    if (!back) return;
    setFailure(null);
    try {
      await send({ lease_id: lease.lease_id, unused_days: back.unused_days });
      toast(say("mining.end.done"));
      onClose();
    } catch (error) {
      setFailure(sentence(error));
    }
    await refreshLeases();
  };
  return (
    <Sheet
      open
      onOpenChange={(open) => {
        if (!open && !busy) onClose();
      }}
      title={say("mining.end.title", { model: lease.model })}
      actions={
        <>
          {back ? (
            <Button block variant="danger" busy={busy} onClick={() => void end()}>
              {say("mining.end.do")}
            </Button>
          ) : null}
          <Button block variant="quiet" disabled={busy} onClick={onClose}>
            {say("mining.end.keep")}
          </Button>
        </>
      }
    >
      {back ? (
        <Section className="-mx-4">
          <Row label={say("mining.end.unused")} value={back.unused_days} />
          <Row
            label={say("mining.refundPrice")}
            value={<Amount value={back.price} coin="pUSDT" />}
          />
          <Row
            label={say("mining.refundPower")}
            value={<Amount value={back.power} coin="pUSDT" />}
          />
          <Row
            label={say("mining.end.lost")}
            value={<Amount value={formatDecimal(kept, scaleOf("pUSDT"))} coin="pUSDT" />}
          />
        </Section>
      ) : (
        <p className="text-small">{say("mining.end.nothing")}</p>
      )}
      <p className="mt-4 text-small text-ink-soft">{say("mining.end.rule")}</p>
      {failure ? (
        <div className="mt-4">
          <ErrorNote>{failure}</ErrorNote>
        </div>
      ) : null}
    </Sheet>
  );
}
