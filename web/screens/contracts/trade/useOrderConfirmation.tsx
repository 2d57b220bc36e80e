import type { ReactNode } from "react";
import type { ContractDetails } from "#api/contracts.ts";
import { getContractDetails, getOrderList, placeOrder } from "#api/routes/contracts.ts";
import { getWalletList } from "#api/routes/wallet.ts";
import { type StakeQuote, stakeCoin } from "#core/contracts/stake.ts";
import { coinScale } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { PriceText } from "#ui/figures/PriceText.tsx";
import { useBelief } from "#web/features/beliefs/useBelief.ts";
import { useConfirm } from "#web/features/confirm/useConfirm.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useDuration, usePercent } from "../format.ts";
import { OrderHeading } from "../orders/OrderHeading.tsx";
import type { Tier } from "./stake.ts";
import type { Direction } from "./useTicket.ts";

export interface ConfirmOrderProps {
  details: ContractDetails;
  tier: Tier;
  quote: StakeQuote;
  direction: Direction;
  onPlaced: (orderId: string) => void;
  onClose: () => void;
}

interface OrderFact {
  label: string;
  hint?: ReactNode;
  value: ReactNode;
  isOutcome?: boolean;
}

/**
 * The facts of an order to confirm, and placing it: the same in the sheet of a phone and in the
 * ticket of a desk. Pressing again after a failure never places two.
 */
export function useOrderConfirmation(props: ConfirmOrderProps) {
  const { details, tier, quote, direction } = props;
  const t = useText();
  const duration = useDuration();
  const percent = usePercent();
  const { place, isBusy, failure, belief } = usePlace(props);
  const amount = (value: bigint, signed = false) => (
    <Amount key={String(value)} value={value} coin={stakeCoin} signed={signed} />
  );
  const facts: OrderFact[] = [
    {
      label: t("contracts.confirm.priceNow"),
      value: <PriceText value={details.price} scale={details.price_scale} tint />,
    },
    { label: t("contracts.confirm.delivery"), value: duration(tier.seconds) },
    {
      label: t("contracts.odds.right"),
      hint: t("contracts.odds.rightHint", { back: amount(quote.back) }),
      value: amount(quote.back - quote.charged, true),
      isOutcome: true,
    },
    {
      label: t("contracts.odds.wrong"),
      hint: t("contracts.odds.wrongHint"),
      value: amount(-quote.charged, true),
      isOutcome: true,
    },
    {
      label: t("contracts.ticket.breakEven"),
      hint: t("contracts.ticket.breakEvenHint"),
      value: percent(tier.break_even_bp),
    },
  ];
  const notes = [
    t("contracts.confirm.body", {
      charged: amount(quote.charged),
      stake: amount(quote.stake),
      fee: amount(quote.fee),
      seconds: tier.window_seconds,
    }),
    t("contracts.confirm.final"),
  ];
  return {
    heading: <OrderHeading order={{ symbol: details.symbol, direction }} />,
    facts,
    notes,
    verb: t("contracts.confirm.place"),
    back: t("contracts.confirm.back"),
    place: () => void place(),
    isBusy,
    failure,
    belief,
  };
}

function usePlace({ details, tier, quote, direction, onPlaced, onClose }: ConfirmOrderProps) {
  const t = useText();
  const { user, requireTerms } = useSession();
  const { send, isBusy } = useApiMutation(placeOrder);
  const { field: belief, keep } = useBelief("order");
  const { confirm, failure } = useConfirm({
    send: () =>
      send({
        contract_id: details.contract_id,
        direction,
        stake: formatDecimal(quote.stake, coinScale(stakeCoin)),
        tier: tier.seconds,
        terms_hash: details.terms.terms_hash,
      }),
    done: ({ msg }) => msg || t("contracts.placed"),
    onDone: async ({ data }) => {
      void keep(data.order_id);
      onPlaced(data.order_id);
      onClose();
      await Promise.all([
        invalidate(getOrderList),
        invalidate(getWalletList),
        invalidate(getContractDetails),
      ]);
    },
    onRefused: ({ error }) => {
      // The page had an older state: read the new one, so that the next attempt is right.
      void invalidate(getContractDetails);
      return error === "contracts.terms_changed" ? t("contracts.confirm.termsChanged") : undefined;
    },
  });
  const confirmOrder = async () => {
    const hasAcceptedTerms = user?.terms.accepted_version === user?.terms.current_version;
    // Terms that changed since the press need a separate press to be accepted.
    if (user && !hasAcceptedTerms) await requireTerms();
    else await confirm();
  };
  return { place: confirmOrder, isBusy, failure, belief };
}
