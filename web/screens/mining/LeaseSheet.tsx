import { useIntl } from "react-intl";
import { useNavigate } from "react-router";
import { getProductList, leaseProduct, type Machine } from "#api/mining.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { ConfirmSheet } from "#web/features/confirm/ConfirmSheet.tsx";
import { useConfirm } from "#web/features/confirm/useConfirm.ts";
import { useSend } from "#web/lib/useApiMutation.ts";
import { refresh } from "#web/lib/useApiQuery.ts";
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
  const say = (id: string) => formatMessage({ id });
  return (
    <ConfirmSheet
      title={`${quantity} × ${machine.model}`}
      facts={[
        { label: say("mining.days"), value: days },
        {
          label: say("mining.confirm.cost"),
          value: <Amount value={cost} coin="pUSDT" />,
          isOutcome: true,
        },
        ...(outlook ?? []).map(({ name, result }) => ({
          label: say(`mining.outlook.${name}`),
          hint: say("mining.result"),
          value: <Amount value={result} coin="pUSDT" signed toned />,
          isOutcome: true,
        })),
      ]}
      notes={[say("mining.confirm.text"), say("mining.end.rule")]}
      action={{ verb: say("mining.confirm.do"), run: () => void lease() }}
      back={say("mining.confirm.back")}
      busy={busy}
      failure={failure}
      onClose={onClose}
    />
  );
}

function useLease({ machine, quantity, days, onClose }: LeaseSheetProps) {
  const { formatMessage } = useIntl();
  const navigate = useNavigate();
  const { send, busy } = useSend(leaseProduct);
  const { confirm, failure } = useConfirm({
    needsTerms: true,
    send: () =>
      send({ product_id: machine.product_id, quantity, days, terms_hash: machine.terms_hash }),
    onDone: async ({ data }) => {
      onClose();
      await refreshLeases();
      await navigate(`/mining/record?lease_id=${data.lease_id}`);
    },
    done: ({ msg }) => msg || formatMessage({ id: "mining.leased" }),
    onRefused: ({ error }) => {
      if (error.startsWith("mining.")) void refresh(getProductList);
    },
  });
  return { lease: confirm, busy, failure };
}
