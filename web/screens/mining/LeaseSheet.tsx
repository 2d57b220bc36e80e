import type { Machine } from "#api/mining.ts";
import { getProductList, leaseProduct } from "#api/routes/mining.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { useNavigate } from "#ui/router.tsx";
import { ConfirmSheet } from "#web/features/confirm/ConfirmSheet.tsx";
import { useConfirm } from "#web/features/confirm/useConfirm.ts";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import type { computeOutlook } from "./Outlook.tsx";
import { refreshLeases } from "./useLeaseUpdates.ts";

interface LeaseSheetProps {
  machine: Machine;
  quantity: number;
  days: number;
  cost: bigint;
  outlook: ReturnType<typeof computeOutlook> | null;
  onClose: () => void;
}

/**
 * Restates what leaves the wallet and what may come of it, and leases. Pressing again after a
 * failure never leases twice.
 */
export default function LeaseSheet(props: LeaseSheetProps) {
  const { machine, quantity, days, cost, outlook, onClose } = props;
  const t = useText();
  const { lease, isBusy, failure } = useLease(props);
  return (
    <ConfirmSheet
      title={`${quantity} × ${machine.model}`}
      facts={[
        { label: t("mining.days"), value: days },
        {
          label: t("mining.confirm.cost"),
          value: <Amount value={cost} coin="pUSDT" />,
          isOutcome: true,
        },
        ...(outlook ?? []).map(({ name, result }) => ({
          label: t(`mining.outlook.${name}`),
          hint: t("mining.result"),
          value: <Amount short="worth" value={result} coin="pUSDT" signed toned />,
          isOutcome: true,
        })),
      ]}
      notes={[t("mining.confirm.text"), t("mining.end.rule")]}
      action={{ verb: t("mining.confirm.do"), run: () => void lease() }}
      back={t("mining.confirm.back")}
      busy={isBusy}
      failure={failure}
      onClose={onClose}
    />
  );
}

function useLease({ machine, quantity, days, onClose }: LeaseSheetProps) {
  const t = useText();
  const navigate = useNavigate();
  const { send, isBusy } = useApiMutation(leaseProduct);
  const { confirm, failure } = useConfirm({
    requiresTerms: true,
    send: () =>
      send({ product_id: machine.product_id, quantity, days, terms_hash: machine.terms_hash }),
    onDone: async ({ data }) => {
      onClose();
      await refreshLeases();
      navigate(`/mining/record?lease_id=${data.lease_id}`);
    },
    done: ({ msg }) => msg || t("mining.leased"),
    onRefused: ({ error }) => {
      if (error.startsWith("mining.")) void invalidate(getProductList);
    },
  });
  return { lease: confirm, isBusy, failure };
}
