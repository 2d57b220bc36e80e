import { getOperators } from "#api/routes/operator/operators.ts";
import { usePermission } from "#operator/app/useOperator.ts";
import { useOperatorNameOf } from "#operator/publishing/forms/labels.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";

/**
 * Names of operators, for those who may read the audit, which names them too; others see short ids.
 */
export function useOperatorName(): (id: string) => string {
  const may = usePermission("audit.read");
  const { data } = useApiQuery(getOperators, {}, { enabled: may, staleMs: 60_000 });
  return useOperatorNameOf(
    new Map(data?.items.map(({ operator_id: id, name }) => [id, name ?? ""]) ?? []),
  );
}
