import { useIntl } from "react-intl";
import { getMyActs } from "#api/operator/audit.ts";
import { permissions } from "#core/operator/permissions.ts";
import { ActList } from "#operator/app/AuditEventList.tsx";
import { ConsolePage } from "#operator/app/ConsolePage.tsx";
import { useOperator } from "#operator/app/useOperator.ts";
import { Leave } from "#operator/overview/Leave.tsx";
import { Badge } from "#ui/Badge.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { useApiPages } from "#web/lib/useApiPages.ts";
import { useConfig } from "#web/lib/useConfig.ts";

/** Who this operator is, what they may do, and what they did last. */
export default function OverviewPage() {
  const { formatMessage, formatTime } = useIntl();
  const me = useOperator();
  const config = useConfig();
  const acts = useApiPages(getMyActs, { page_size: 10 });
  const text = (id: string) => formatMessage({ id });
  if (!me) return null;
  return (
    <ConsolePage title={text("console.nav.overview")} lead={text("console.overview.lead")}>
      <div className="grid grid-cols-1 gap-x-8 wide:grid-cols-2">
        <div className="min-w-0">
          <Section title={text("console.overview.you")}>
            {me.name ? <Row label={text("console.claim.name")} value={me.name} /> : null}
            <Row
              label={text("console.role")}
              hint={text(`powers.about.${me.role}`)}
              value={text(`powers.role.${me.role}`)}
            />
            <Row
              label={text("console.raise.title")}
              value={
                me.raised_until_ms === null
                  ? text("console.raise.off")
                  : formatMessage(
                      { id: "console.raise.until" },
                      { time: formatTime(me.raised_until_ms) },
                    )
              }
            />
            {config ? (
              <Row
                label={text("console.overview.world")}
                hint={text(`console.market.${config.world.market.kind}`)}
                value={config.world.name}
              />
            ) : null}
          </Section>
          <Section title={text("console.overview.may")} note={text("console.overview.mayNote")}>
            {me.permissions.map((name) => (
              <div key={name} className="flex items-start justify-between gap-3 px-4 py-3">
                <p className="min-w-0 text-small">{text(`powers.allows.${name}`)}</p>
                {permissions[name].raised ? <Badge>{text("powers.raised")}</Badge> : null}
              </div>
            ))}
          </Section>
        </div>
        <div className="min-w-0">
          <Section title={text("console.overview.acts")} note={text("console.overview.actsNote")}>
            <ActList acts={acts} />
          </Section>
          <Leave />
        </div>
      </div>
    </ConsolePage>
  );
}
