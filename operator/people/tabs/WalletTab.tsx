import { getPersonWallet } from "#api/routes/operator/people.ts";
import type { Coin } from "#core/money/coins.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { QueryError } from "#web/lib/api/QueryError.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";

/** Balances and product lines of the current attempt. */
export function WalletTab({ viewingId }: { viewingId: string }) {
  const t = useText();
  const query = useApiQuery(getPersonWallet, {
    viewing_id: viewingId,
  });
  const { data, error } = query;
  if (error && !data) return <QueryError query={query} />;
  if (!data) return <SkeletonRows />;
  const { wallet, lines } = data;
  const amount = (value: string | null, coin: Coin, signed = false) =>
    value === null ? "–" : <Amount value={value} coin={coin} signed={signed} toned={signed} />;
  return (
    <>
      <Section
        title={t("people.attempt", { number: data.attempt_number })}
        action={amount(wallet.total, wallet.display_currency)}
      >
        {wallet.items.map(({ coin, available, held }) => (
          <Row
            key={coin}
            label={coin}
            hint={
              /[1-9]/.test(held) ? (
                <>
                  {t("records.account.held")} <Amount value={held} coin={coin} />
                </>
              ) : undefined
            }
            value={<Amount value={available} coin={coin} />}
          />
        ))}
      </Section>
      <Section title={t("people.lines")}>
        {lines.items.map((line) => (
          <Row
            key={line.type}
            label={t(`records.group.${line.type}`)}
            hint={
              <>
                {t("people.result")} {amount(line.total, lines.display_currency, true)}
              </>
            }
            value={amount(line.balance, lines.display_currency)}
          />
        ))}
      </Section>
    </>
  );
}
