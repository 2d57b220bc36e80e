import { useState } from "react";
import { useIntl } from "react-intl";
import type { Order } from "#api/contracts.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { useDuration } from "../format.ts";
import { LazyOrderDetails } from "./LazyOrderDetails.tsx";
import { OrderHeading } from "./OrderHeading.tsx";
import { OrderState } from "./OrderState.tsx";
import { useOrderPhase } from "./useOrderPhase.ts";

/** An order in a list; opens its details in a sheet, or calls `onOpen` instead. */
export function OrderRow({
  order,
  isShown = false,
  onOpen,
}: {
  order: Order;
  /** True if the order is open beside the list. */
  isShown?: boolean;
  onOpen?: (() => void) | undefined;
}) {
  const { formatDate } = useIntl();
  const duration = useDuration();
  const { phase } = useOrderPhase(order);
  const [open, setOpen] = useState(false);
  const acceptedText = formatDate(order.accepted_at_ms, {
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
  });
  return (
    <>
      <Row
        label={<OrderHeading order={order} />}
        hint={
          <>
            {duration(order.tier_seconds)} ·{" "}
            <span className="whitespace-nowrap">{acceptedText}</span>
          </>
        }
        value={
          order.net === null ? (
            <Amount value={order.stake} coin={order.coin} />
          ) : (
            <Amount value={order.net} coin={order.coin} signed toned />
          )
        }
        valueHint={<OrderState order={order} phase={phase} short />}
        onClick={onOpen ?? (() => setOpen(true))}
        {...(isShown ? { className: "bg-leaf" } : {})}
      />
      {onOpen ? null : <LazyOrderDetails order={order} open={open} onOpenChange={setOpen} />}
    </>
  );
}
