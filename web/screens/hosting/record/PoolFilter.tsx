import type { UseQueryResult } from "@tanstack/react-query";
import type { AnswerOf } from "#api/call.ts";
import type { ApiError } from "#api/client.ts";
import { getProductList } from "#api/routes/hosting.ts";
import { useText } from "#i18n/useText.ts";
import { Chip } from "#ui/Chip.tsx";
import { useSearchParams } from "#ui/router.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { usePoolName } from "../figures.tsx";

type Products = UseQueryResult<AnswerOf<typeof getProductList>, ApiError>;

export interface PoolChoice {
  products: Products;
  /** Null for all pools; undefined while it is unknown if the address names a pool. */
  poolId: string | null | undefined;
  choose: (poolId: string | null) => void;
}

/** The pool whose rows are shown, in the address as `product_id`; an unknown one is all pools. */
export function usePoolChoice(): PoolChoice {
  const [query, setQuery] = useSearchParams();
  const products = useApiQuery(getProductList, {}, { staleMs: 60_000 });
  const requestedId = query.get("product_id");
  const isPool = products.data?.items.some((pool) => pool.product_id === requestedId);
  const choose = (poolId: string | null) =>
    setQuery(
      (before) => {
        if (poolId === null) before.delete("product_id");
        else before.set("product_id", poolId);
        return before;
      },
      { replace: true },
    );
  const poolId =
    requestedId === null || isPool === false ? null : isPool === true ? requestedId : undefined;
  return { products, poolId, choose };
}

/** All pools or one; nothing while there is no choice. */
export function PoolFilter({ products, poolId, choose }: PoolChoice) {
  const t = useText();
  const { name } = usePoolName();
  const items = products.data?.items ?? [];
  if (items.length < 2) return null;
  return (
    <fieldset
      aria-label={t("hosting.pool")}
      className="flex min-w-0 gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none] *:shrink-0"
    >
      <Chip selected={poolId === null} onClick={() => choose(null)}>
        {t("hosting.record.anyPool")}
      </Chip>
      {items.map((pool) => (
        <Chip
          key={pool.product_id}
          selected={pool.product_id === poolId}
          onClick={() => choose(pool.product_id)}
        >
          {name(pool.strategy)}
        </Chip>
      ))}
    </fieldset>
  );
}
