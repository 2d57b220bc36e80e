import { getExchangeCosts } from "#api/routes/exchange.ts";
import { FillCosts } from "#web/features/fill-costs/FillCosts.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";

const retryMs = 1_000;

/** The costs of an exchange, as soon as the log has the second after it. */
export function ExchangeCosts({ journalId }: { journalId: string }) {
  const { data } = useApiQuery(
    getExchangeCosts,
    { journal_id: journalId },
    { refetchMs: (answer) => (answer?.parts ? undefined : retryMs) },
  );
  const parts = data?.parts;
  if (!parts) return null;
  const { coin, at_index: atIndex, costs, received } = parts;
  return (
    <FillCosts of="exchange" coin={coin} from={atIndex} to={received} costs={costs} delay="known" />
  );
}
