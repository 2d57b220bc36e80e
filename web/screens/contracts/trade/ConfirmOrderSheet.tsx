import type { ContractDetails } from "#api/contracts.ts";
import { getContractDetails, getOrderList, placeOrder } from "#api/routes/contracts.ts";
import { getWalletList } from "#api/routes/wallet.ts";
import { type StakeQuote, stakeCoin } from "#core/contracts/stake.ts";
import { scaleOf } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { PriceText } from "#ui/figures/PriceText.tsx";
import { ConfirmSheet } from "#web/features/confirm/ConfirmSheet.tsx";
import { useConfirm } from "#web/features/confirm/useConfirm.ts";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useDuration } from "../format.ts";
import { OrderHeading } from "../orders/OrderHeading.tsx";
import type { Tier } from "./stake.ts";

export interface ConfirmOrderProps {
  details: ContractDetails;
  tier: Tier;
  quote: StakeQuote;
  direction: "up" | "down";
  onPlaced: (orderId: string) => void;
  onClose: () => void;
}

/**
 * Restates what happens to the money and places the order. Pressing again after a failure never
 * places two.
 */
export default function ConfirmOrderSheet(props: ConfirmOrderProps) {
  const { details, tier, quote, direction, onClose } = props;
  const t = useText();
  const duration = useDuration();
  const amount = (value: bigint) => <Amount key={String(value)} value={value} coin={stakeCoin} />;
  const { place, busy, failure } = usePlace(props);
  return (
    <ConfirmSheet
      title={<OrderHeading order={{ symbol: details.symbol, direction }} />}
      facts={[
        {
          label: t("contracts.confirm.priceNow"),
          value: <PriceText value={details.price} scale={details.price_scale} tint />,
        },
        { label: t("contracts.confirm.delivery"), value: duration(tier.seconds) },
        { label: t("contracts.ticket.ifRight"), value: amount(quote.back), isOutcome: true },
        { label: t("contracts.ticket.ifWrong"), value: amount(quote.charged), isOutcome: true },
      ]}
      notes={[
        t("contracts.confirm.body", {
          charged: amount(quote.charged),
          stake: amount(quote.stake),
          fee: amount(quote.fee),
          seconds: tier.window_seconds,
        }),
        t("contracts.confirm.final"),
      ]}
      action={{ verb: t("contracts.confirm.place"), run: () => void place() }}
      back={t("contracts.confirm.back")}
      busy={busy}
      failure={failure}
      onClose={onClose}
    />
  );
}

function usePlace({ details, tier, quote, direction, onPlaced, onClose }: ConfirmOrderProps) {
  const t = useText();
  const { send, busy } = useApiMutation(placeOrder);
  const { confirm, failure } = useConfirm({
    requiresTerms: true,
    send: () =>
      send({
        contract_id: details.contract_id,
        direction,
        stake: formatDecimal(quote.stake, scaleOf(stakeCoin)),
        tier: tier.seconds,
        terms_hash: details.terms.terms_hash,
      }),
    done: ({ msg }) => msg || t("contracts.placed"),
    onDone: async ({ data }) => {
      onPlaced(data.order_id);
      onClose();
      await Promise.all([invalidate(getOrderList), invalidate(getWalletList)]);
    },
    onRefused: ({ error }) => {
      if (error !== "contracts.terms_changed") return undefined;
      void invalidate(getContractDetails);
      return t("contracts.confirm.termsChanged");
    },
  });
  return { place: confirm, busy, failure };
}
