import { getOperators } from "#api/routes/operator/operators.ts";
import { usePermission } from "#operator/app/useOperator.ts";
import { useOperatorNames } from "#operator/publishing/forms/labels.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";

/**
 * Names of operators, for those who may read the audit, which names them too; others see short ids.
 */
export function useOperatorName(): (id: string) => string {
  const mayRead = usePermission("audit.read");
  const { data } = useApiQuery(getOperators, {}, { enabled: mayRead, staleMs: 60_000 });
  return useOperatorNames(
    new Map(data?.items.map(({ operator_id: id, name }) => [id, name ?? ""]) ?? []),
  );
}
