import { useState } from "react";
import { useIntl } from "react-intl";
import type { OperatorView } from "#api/operator/operators.ts";
import { getOperators } from "#api/routes/operator/operators.ts";
import { useText } from "#i18n/useText.ts";
import { ConsolePage } from "#operator/app/ConsolePage.tsx";
import { useMayChange } from "#operator/app/useOperator.ts";
import { ChangeSheet } from "#operator/operators/ChangeSheet.tsx";
import { Codes } from "#operator/operators/Codes.tsx";
import { InviteSheet } from "#operator/operators/InviteSheet.tsx";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { QueryError } from "#web/lib/api/QueryError.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";

/**
 * The operators of this instance: invited by a one-time code, in one of four roles, removed with
 * immediate effect.
 */
export default function OperatorsPage() {
  const { formatDate } = useIntl();
  const t = useText();
  const mayManage = useMayChange("operators.manage");
  const [inviting, setInviting] = useState(false);
  const [open, setOpen] = useState<OperatorView | null>(null);
  const query = useApiQuery(getOperators, {}, { refetchMs: 30_000 });
  const { data } = query;
  return (
    <ConsolePage
      title={t("console.nav.operators")}
      lead={t("console.operators.lead")}
      actions={
        mayManage ? (
          <Button size="small" onClick={() => setInviting(true)}>
            {t("console.invite.open")}
          </Button>
        ) : null
      }
    >
      <QueryError query={query} />
      <Section title={t("console.operators.now")}>
        {data ? (
          data.items.map((operator) => (
            <Row
              key={operator.operator_id}
              label={
                <>
                  {operator.name ?? operator.operator_id.slice(0, 8)}{" "}
                  {operator.me ? <Badge>{t("console.operators.you")}</Badge> : null}
                </>
              }
              hint={
                <>
                  {t("console.operators.since", {
                    date: formatDate(operator.since_ms, { dateStyle: "medium" }),
                  })}
                  {operator.factors_ready || operator.role === "auditor" ? null : (
                    <span className="block text-warning">{t("console.operators.noFactor")}</span>
                  )}
                </>
              }
              value={t(`permissions.role.${operator.role}`)}
              {...(mayManage ? { onClick: () => setOpen(operator) } : {})}
            />
          ))
        ) : (
          <SkeletonRows />
        )}
      </Section>
      {data && data.codes.length > 0 ? <Codes codes={data.codes} /> : null}
      <InviteSheet isOpen={inviting} onClose={() => setInviting(false)} />
      <ChangeSheet operator={open} onClose={() => setOpen(null)} />
    </ConsolePage>
  );
}
