import {
  IconAddressBook,
  IconArrowsUpDown,
  IconCpu,
  IconHistory,
  IconListDetails,
  IconTopologyStar3,
} from "@tabler/icons-react";
import { findAccountAndRate } from "#api/routes/records.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { shortWorthText } from "#ui/figures/shortAmount.ts";
import { Row } from "#ui/Row.tsx";
import { Link } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { QueryError } from "#web/lib/api/QueryError.tsx";
import { invalidate, useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { HideableAmount, useHideAmounts } from "#web/lib/hideAmounts.tsx";
import { useStreamEvent } from "#web/lib/stream.ts";

const tiles = [
  { to: "/business/orders", id: "account.orders.contracts", Icon: IconArrowsUpDown },
  { to: "/ai/record", id: "account.orders.hosting", Icon: IconTopologyStar3 },
  { to: "/mining/record", id: "account.orders.mining", Icon: IconCpu },
  { to: "/wallet-record", id: "account.records", Icon: IconListDetails },
] as const;

/** The person's balance, and the orders of each product line. */
export function AccountSummary() {
  const t = useText();
  return (
    <>
      <Balance />
      <nav aria-label={t("account.orders")} className="mt-4 px-4">
        <ul className="grid grid-cols-4 overflow-hidden rounded-dock border border-line bg-leaf">
          {tiles.map(({ to, id, Icon }) => (
            <li key={to} className="border-line not-first:border-l">
              <Link
                to={to}
                className="flex h-full min-h-20 flex-col items-center gap-1.5 px-1 pt-3.5 pb-2 text-center text-caption transition-colors hover:bg-well focus-visible:-outline-offset-2"
              >
                <Icon size={22} stroke={1.5} className="text-signal-ink" aria-hidden="true" />
                <span className="max-w-full font-strong break-words hyphens-auto">{t(id)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Section className="mt-4!">
        <Row
          to="/wallet?do=addresses"
          leading={<IconAddressBook size={22} stroke={1.5} aria-hidden="true" />}
          label={t("account.addresses")}
        />
        <Row
          to="/wallet?do=attempts"
          leading={<IconHistory size={22} stroke={1.5} aria-hidden="true" />}
          label={t("account.attempts")}
          hint={t("account.attempts.hint")}
        />
      </Section>
    </>
  );
}

function Balance() {
  const t = useText();
  const [hidden] = useHideAmounts();
  useStreamEvent("balances", () => void invalidate(findAccountAndRate));
  const query = useApiQuery(findAccountAndRate, {});
  const { data, error } = query;
  // The same total as on the home screen, including what is invested and held.
  const total = data?.account?.total ?? null;
  if (error && !data) return <QueryError query={query} />;
  return (
    <Link
      to="/wallet"
      className="mx-2 block rounded-dock px-2 py-2 transition-colors hover:bg-leaf active:bg-well"
    >
      <span className="block text-small text-ink-soft">{t("account.balance")}</span>
      <span className="flex h-10 items-center text-figure font-strong tracking-tight">
        {!data ? (
          <Skeleton width="10rem" height="1.75rem" />
        ) : total === null ? (
          <span className="text-ink-faint">{t("account.balance.unpriced")}</span>
        ) : (
          <HideableAmount hidden={hidden}>
            <Amount
              value={shortWorthText(total, data.display_currency)}
              coin={data.display_currency}
            />
          </HideableAmount>
        )}
      </span>
      <span className="block text-small text-ink-faint">{t("account.balance.hint")}</span>
    </Link>
  );
}
