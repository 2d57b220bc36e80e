import { useIntl } from "react-intl";
import type { Coin } from "#core/money/coins.ts";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { shortWorthText } from "#ui/figures/shortAmount.ts";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { Link } from "#ui/router.tsx";
import { computeOtherResults, type Line, resultLineNames } from "#web/screens/home/resultLines.ts";
import { useProductLines } from "#web/screens/home/useProductLines.ts";

export interface TodaySheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/**
 * For each line: the amount in it, and its result today and in total. The lines sum to the
 * account's result.
 */
export default function TodaySheetBody({ open, onOpenChange }: TodaySheetProps) {
  const { formatTime } = useIntl();
  const t = useText();
  const { data } = useProductLines();
  if (!data) return null;
  const { display_currency: coin, priced_at_ms: atMs } = data;
  const rest = {
    today: computeOtherResults(data, "today"),
    total: computeOtherResults(data, "total"),
  };
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={t("today.title")}
      description={t("today.text")}
      actions={
        <Link
          to="/wallet-record"
          className={buttonClass({ variant: "outline", block: true })}
          onClick={() => onOpenChange(false)}
        >
          {t("today.records")}
        </Link>
      }
    >
      <ul className="hairlines -mx-4 border-y border-line">
        {resultLineNames.map((type) => {
          const line = data.items.find((item) => item.type === type);
          return line ? <LineFigures key={type} line={line} coin={coin} /> : null;
        })}
        {isNothing(rest.today) && isNothing(rest.total) ? null : (
          <li className="grid grid-cols-[1fr_auto] gap-x-4 px-4 py-3">
            <span className="font-strong">{t("today.rest")}</span>
            <span className="text-right">
              <Figure value={rest.today} coin={coin} />
            </span>
            <span className="text-small text-ink-faint">{t("today.rest.text")}</span>
            <span className="text-right text-small text-ink-faint">
              {t("today.inAll")} <Figure value={rest.total} coin={coin} />
            </span>
          </li>
        )}
        <li className="flex min-h-14 items-center justify-between gap-4 px-4 font-strong">
          <span>{t("today.sum")}</span>
          <Figure value={data.account?.today ?? null} coin={coin} />
        </li>
        <li className="flex min-h-14 items-center justify-between gap-4 px-4 font-strong">
          <span>{t("today.inAll")}</span>
          <Figure value={data.account?.result ?? null} coin={coin} />
        </li>
      </ul>
      <p className="mt-3 text-small text-ink-soft">{t("today.how")}</p>
      {atMs ? (
        <p className="mt-2 text-small text-ink-faint">
          {t("home.balance.priced", { time: formatTime(atMs, { timeStyle: "medium" }) })}
        </p>
      ) : null}
    </Sheet>
  );
}

const isNothing = (text: string | null) => text === null || /^[0.]*$/.test(text);

function LineFigures({ line, coin }: { line: Line; coin: Coin }) {
  const t = useText();
  const { type, balance, today, total } = line;
  const hasBalance = balance !== null && !isNothing(balance);
  return (
    <li className="grid grid-cols-[1fr_auto] gap-x-4 px-4 py-3">
      <span className="font-strong">{t(`today.line.${type}`)}</span>
      <span className="text-right">
        <Figure value={today} coin={coin} />
      </span>
      <span className="text-small text-ink-faint">
        {hasBalance ? (
          <>
            {t("today.inside")} <Amount value={shortWorthText(balance, coin)} coin={coin} />
          </>
        ) : (
          t("today.nothingInside")
        )}
      </span>
      <span className="text-right text-small text-ink-faint">
        {t("today.inAll")} <Figure value={total} coin={coin} />
      </span>
    </li>
  );
}

function Figure({ value, coin }: { value: string | null; coin: Coin }) {
  const t = useText();
  return value === null ? (
    <span className="text-ink-faint">{t("home.balance.none")}</span>
  ) : (
    <Amount value={shortWorthText(value, coin)} coin={coin} signed toned />
  );
}
