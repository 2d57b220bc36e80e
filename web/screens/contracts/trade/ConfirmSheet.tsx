import { type ReactNode, useState } from "react";
import { useIntl } from "react-intl";
import { CallError } from "#api/client.ts";
import {
  type ContractDetails,
  getContractDetails,
  getOrderList,
  placeOrder,
} from "#api/contracts.ts";
import { getWalletList } from "#api/wallet.ts";
import { type StakeQuote, stakeCoin } from "#core/contracts/stake.ts";
import { scaleOf } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { PriceText } from "#ui/figures/PriceText.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { useSession } from "#web/features/session/useSession.ts";
import { useSend } from "#web/lib/useApiMutation.ts";
import { refresh } from "#web/lib/useApiQuery.ts";
import { useSentence } from "#web/lib/useErrorMessage.ts";
import { useDuration } from "../format.ts";
import { OrderHeading } from "../orders/OrderHeading.tsx";
import type { Tier } from "./stake.ts";

export interface ConfirmSheetProps {
  details: ContractDetails;
  tier: Tier;
  quote: StakeQuote;
  direction: "up" | "down";
  onPlaced: (orderId: string) => void;
  onClose: () => void;
}

/** Says once more what happens to the money, and places the order. Pressing again after a failure never places two. */
export default function ConfirmSheet(props: ConfirmSheetProps) {
  const { details, tier, quote, direction, onClose } = props;
  const { formatMessage } = useIntl();
  const duration = useDuration();
  const amount = (value: bigint) => <Amount key={String(value)} value={value} coin={stakeCoin} />;
  const { place, busy, failure } = usePlace(props);
  const say = (id: string) => formatMessage({ id });
  const row = (id: string, value: ReactNode) => (
    <Row label={say(id)} value={value} className="min-h-12" />
  );
  return (
    <Sheet
      open
      onOpenChange={(open) => {
        if (!open && !busy) onClose();
      }}
      title={<OrderHeading order={{ symbol: details.symbol, direction }} />}
      actions={
        <>
          <Button block busy={busy} onClick={() => void place()}>
            {say("contracts.confirm.place")}
          </Button>
          <Button block variant="quiet" disabled={busy} onClick={onClose}>
            {say("contracts.confirm.back")}
          </Button>
        </>
      }
    >
      <Section className="-mx-4">
        {row(
          "contracts.confirm.priceNow",
          <PriceText value={details.price} scale={details.price_scale} tint />,
        )}
        {row("contracts.confirm.delivery", duration(tier.seconds))}
        {row("contracts.ticket.ifRight", <span className="font-strong">{amount(quote.back)}</span>)}
        {row(
          "contracts.ticket.ifWrong",
          <span className="font-strong">{amount(quote.charged)}</span>,
        )}
      </Section>
      <p className="mt-4 text-small text-ink-soft">
        {formatMessage(
          { id: "contracts.confirm.body" },
          {
            charged: amount(quote.charged),
            stake: amount(quote.stake),
            fee: amount(quote.fee),
            seconds: tier.window_seconds,
          },
        )}
      </p>
      <p className="mt-2 text-small text-ink-soft">{say("contracts.confirm.final")}</p>
      {failure ? (
        <div className="mt-4">
          <ErrorNote>{failure}</ErrorNote>
        </div>
      ) : null}
    </Sheet>
  );
}

function usePlace({ details, tier, quote, direction, onPlaced, onClose }: ConfirmSheetProps) {
  const { formatMessage } = useIntl();
  const { requireTerms, signIn } = useSession();
  const sentence = useSentence();
  const order = useSend(placeOrder);
  const [failure, setFailure] = useState<string | null>(null);

  const place = async () => {
    setFailure(null);
    if (!(await requireTerms())) return;
    try {
      const { data, msg } = await order.send({
        contract_id: details.contract_id,
        direction,
        stake: formatDecimal(quote.stake, scaleOf(stakeCoin)),
        tier: tier.seconds,
        terms_hash: details.terms.terms_hash,
      });
      toast(msg || formatMessage({ id: "contracts.placed" }));
      onPlaced(data.order_id);
      onClose();
      await Promise.all([refresh(getOrderList), refresh(getWalletList)]);
    } catch (error) {
      setFailure(sentence(error));
      if (!(error instanceof CallError)) return;
      if (error.error === "session.required") signIn();
      if (error.error === "contracts.terms_changed") {
        setFailure(formatMessage({ id: "contracts.confirm.termsChanged" }));
        await refresh(getContractDetails);
      }
    }
  };
  return { place, busy: order.busy, failure };
}
