import { IconArrowsUpDown, IconCpu, IconReceipt, IconTopologyStar3 } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Change } from "#ui/figures/Change.tsx";
import { shortWorthText } from "#ui/figures/shortAmount.ts";
import { Link } from "#ui/router.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { percentOrdersMin } from "#web/features/money/percentOrdersMin.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { useConfig } from "#web/lib/api/useConfig.ts";
import { HideableAmount, useHideAmounts } from "#web/lib/hideAmounts.tsx";
import { useProductLines } from "#web/screens/home/useProductLines.ts";

/** The product lines, each with the figure shown for it. */
const lines = [
  { to: "/business", line: "contract", id: "home.line.contracts", Icon: IconArrowsUpDown },
  { to: "/ai", line: "hosting", id: "home.line.hosting", Icon: IconTopologyStar3 },
  { to: "/mining", line: "mining", id: "home.line.mining", Icon: IconCpu },
] as const;
type LineName = (typeof lines)[number]["line"];

/**
 * Tiles that lead to the product lines, with the person's result of today or, signed out, this
 * instance's counts; small enough for a phone's first view.
 */
export function ProductLines() {
  const t = useText();
  return (
    <section aria-label={t("home.lines")} className="grid grid-cols-2 gap-2 px-4 pt-4">
      {lines.map((line) => (
        <LineTile key={line.to} {...line} />
      ))}
      <Tile to="/verify" id="home.line.verify" Icon={IconReceipt} />
    </section>
  );
}

function LineTile({ line, ...tile }: (typeof lines)[number]) {
  const { status } = useSession();
  const ownFigure = useOwnResult(line);
  const instanceCount = useInstanceCount(line);
  // The person's figures once there are any, otherwise the instance's counts, so that the tile is
  // never empty.
  return (
    <Tile
      {...tile}
      {...(status === "signed_out" || ownFigure === "none" ? instanceCount : ownFigure)}
    />
  );
}

interface TileProps extends Partial<Figure> {
  to: string;
  id: string;
  Icon: typeof IconReceipt;
}

function Tile({ to, id, Icon, value, hint }: TileProps) {
  const t = useText();
  return (
    <Link
      to={to}
      className="flex min-h-20 items-center gap-3 rounded-dock border border-line bg-leaf px-3 py-2 transition-colors hover:bg-well"
    >
      <Icon size={24} stroke={1.5} aria-hidden="true" className="shrink-0 text-ink-soft" />
      <span className="flex min-w-0 flex-col text-caption text-ink-faint">
        <span className="text-small text-ink">{t(id)}</span>
        <span className="text-ink-soft">{value}</span>
        <span>{hint}</span>
      </span>
    </Link>
  );
}

interface Figure {
  value: ReactNode;
  hint: ReactNode;
}
/** As tall as the figures, so that no row changes height when they load. */
const loading: Figure = {
  value: (
    <span className="flex h-4 items-center">
      <Skeleton width="4.5rem" height="0.75rem" />
    </span>
  ),
  hint: "\u00a0",
};

/** The person's result of today in a line; "none" if nothing was ever put into it. */
function useOwnResult(name: LineName): Figure | "none" {
  const t = useText();
  const { data, error } = useProductLines();
  const [hidden] = useHideAmounts();
  const line = data?.items.find(({ type }) => type === name);
  if (!line || !data) return error ? "none" : loading;
  const nothing = (text: string | null) => text !== null && /^[0.]*$/.test(text);
  if (nothing(line.balance) && nothing(line.total) && line.return_bp === null) return "none";
  const coin = data.display_currency;
  return {
    value:
      line.today === null ? (
        t("home.balance.none")
      ) : (
        <HideableAmount hidden={hidden}>
          <Amount value={shortWorthText(line.today, coin)} coin={coin} signed toned />
        </HideableAmount>
      ),
    hint: t("home.line.today"),
  };
}

/** This instance's count for a line, over everyone. */
function useInstanceCount(name: LineName): Figure {
  const { formatNumber } = useIntl();
  const t = useText();
  const pool = useConfig()?.home.pool;
  if (!pool) return loading;
  const toQuietFigure = (id: string): Figure => ({
    value: t(id),
    hint: null,
  });
  if (name === "contract") {
    if (pool.orders_settled === 0) return toQuietFigure("home.counted.none");
    if (pool.orders_settled < percentOrdersMin) {
      return {
        value: t("home.counted.of", { lost: pool.orders_lost, count: pool.orders_settled }),
        hint: t("home.counted.orders_lost"),
      };
    }
    const share = formatNumber(pool.orders_lost / pool.orders_settled, {
      style: "percent",
      maximumFractionDigits: 1,
    });
    return {
      value: t("home.line.lost", { share }),
      hint: t("home.line.of", { count: pool.orders_settled }),
    };
  }
  if (name === "hosting") {
    if (pool.nav_change_today_bp === null) {
      // With marks but no units held by people there is no change to report, though the pools run.
      return toQuietFigure(
        pool.hosted_total === null ? "home.counted.not_yet" : "home.counted.nobody",
      );
    }
    return {
      value: <Change bp={pool.nav_change_today_bp} />,
      hint: t("home.counted.nav"),
    };
  }
  if (pool.hashrate_at_work === null) return toQuietFigure("home.counted.not_yet");
  return {
    value: <Hashrate value={pool.hashrate_at_work} />,
    hint: t("home.counted.hashrate"),
  };
}

/** Terahashes per second, a decimal string of the wire. */
export function Hashrate({ value }: { value: string }) {
  const { formatNumber } = useIntl();
  return <>{`${formatNumber(Number(value), { maximumFractionDigits: 2 })} TH/s`}</>;
}
