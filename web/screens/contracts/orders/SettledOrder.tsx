import type { Order } from "#api/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Arrow } from "#ui/figures/Change.tsx";
import { Link } from "#ui/router.tsx";
import { RepeatButton } from "./RepeatButton.tsx";
import { buildReceiptUrl } from "./receiptUrl.ts";

/** A settled order in one line: the order, its result, its receipt, and a button to repeat it. */
export function SettledOrder({
  order,
  onRepeat,
}: {
  order: Order;
  onRepeat: (order: Order) => void;
}) {
  const t = useText();
  const { direction, outcome, net, coin } = order;
  return (
    <div className="@container flex min-h-11 items-center gap-2 pr-1 pl-4 text-small">
      <span className={direction === "up" ? "text-rise" : "text-fall"}>
        <span className="sr-only">{t(`contracts.order.${direction}`)}</span>
        <Arrow direction={direction === "up" ? 1 : -1} />
      </span>
      <span>{t(`contracts.order.${outcome ?? "settling"}`)}</span>
      {net === null ? null : <Amount value={net} coin={coin} signed toned bare />}
      <Link
        to={buildReceiptUrl(order)}
        className="ml-auto inline-flex min-h-11 min-w-0 items-center text-right text-signal-ink hover:underline"
      >
        {t("contracts.order.receipt")}
      </Link>
      <RepeatButton onClick={() => onRepeat(order)} />
    </div>
  );
}
