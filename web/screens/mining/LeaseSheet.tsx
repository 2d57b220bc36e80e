import { useState } from "react";
import { useIntl } from "react-intl";
import { useNavigate } from "react-router";
import { CallError } from "#api/client.ts";
import type { Machine } from "#api/mining.ts";
import { getProductList, leaseProduct } from "#api/routes/mining.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { useSession } from "#web/features/session/useSession.ts";
import { useSend } from "#web/lib/useApiMutation.ts";
import { refresh } from "#web/lib/useApiQuery.ts";
import { useSentence } from "#web/lib/useErrorMessage.ts";
import type { outlookOf } from "./Outlook.tsx";
import { refreshLeases } from "./useLeaseUpdates.ts";

interface LeaseSheetProps {
  machine: Machine;
  quantity: number;
  days: number;
  cost: bigint;
  outlook: ReturnType<typeof outlookOf> | null;
  onClose: () => void;
}

/** Says once more what leaves the wallet and what may come of it, and leases. Pressing again after a failure never leases twice. */
export default function LeaseSheet(props: LeaseSheetProps) {
  const { machine, quantity, days, cost, outlook, onClose } = props;
  const { formatMessage } = useIntl();
  const { lease, busy, failure } = useLease(props);
  const say = (id: string, values?: Record<string, string | number>) =>
    formatMessage({ id }, values);
  return (
    <Sheet
      open
      onOpenChange={(open) => {
        if (!open && !busy) onClose();
      }}
      title={`${quantity} × ${machine.model}`}
      actions={
        <>
          <Button block busy={busy} onClick={() => void lease()}>
            {say("mining.confirm.do")}
          </Button>
          <Button block variant="quiet" disabled={busy} onClick={onClose}>
            {say("mining.confirm.back")}
          </Button>
        </>
      }
    >
      <Section className="-mx-4">
        <Row label={say("mining.days")} value={days} className="min-h-12" />
        <Row
          label={say("mining.confirm.cost")}
          value={
            <span className="font-strong">
              <Amount value={cost} coin="pUSDT" />
            </span>
          }
          className="min-h-12"
        />
        {outlook?.map(({ name, result }) => (
          <Row
            key={name}
            label={say(`mining.outlook.${name}`)}
            hint={say("mining.result")}
            value={
              <span className="font-strong">
                <Amount value={result} coin="pUSDT" signed toned />
              </span>
            }
            className="min-h-12"
          />
        ))}
      </Section>
      <p className="mt-4 text-small text-ink-soft">{say("mining.confirm.text")}</p>
      <p className="mt-2 text-small text-ink-soft">{say("mining.end.rule")}</p>
      {failure ? (
        <div className="mt-4">
          <ErrorNote>{failure}</ErrorNote>
        </div>
      ) : null}
    </Sheet>
  );
}

function useLease({ machine, quantity, days, onClose }: LeaseSheetProps) {
  const { formatMessage } = useIntl();
  const { requireTerms, signIn } = useSession();
  const sentence = useSentence();
  const navigate = useNavigate();
  const sending = useSend(leaseProduct);
  const [failure, setFailure] = useState<string | null>(null);
  const lease = async () => {
    setFailure(null);
    if (!(await requireTerms())) return;
    try {
      const { data, msg } = await sending.send({
        product_id: machine.product_id,
        quantity,
        days,
        terms_hash: machine.terms_hash,
      });
      toast(msg || formatMessage({ id: "mining.leased" }));
      onClose();
      await refreshLeases();
      await navigate(`/mining/record?lease_id=${data.lease_id}`);
    } catch (error) {
      setFailure(sentence(error));
      if (!(error instanceof CallError)) return;
      if (error.error === "session.required") signIn();
      if (error.error.startsWith("mining.")) await refresh(getProductList);
    }
  };
  return { lease, busy: sending.busy, failure };
}
