import { useIntl } from "react-intl";
import { getMyActs } from "#api/routes/operator/audit.ts";
import { permissions } from "#core/operator/permissions.ts";
import { useText } from "#i18n/useText.ts";
import { AuditEventList } from "#operator/app/AuditEventList.tsx";
import { ConsolePage } from "#operator/app/ConsolePage.tsx";
import { useOperator } from "#operator/app/useOperator.ts";
import { Badge } from "#ui/Badge.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { useApiPages } from "#web/lib/api/useApiPages.ts";
import { useConfig } from "#web/lib/api/useConfig.ts";
import { LeaveRole } from "./LeaveRole.tsx";

/** The operator's own page: name, permissions and recent actions. */
export default function OverviewPage() {
  const { formatTime } = useIntl();
  const t = useText();
  const me = useOperator();
  const config = useConfig();
  const acts = useApiPages(getMyActs, { page_size: 10 });
  if (!me) return null;
  return (
    <ConsolePage title={t("console.nav.overview")} lead={t("console.overview.lead")}>
      <div className="grid grid-cols-1 gap-x-8 wide:grid-cols-2">
        <div className="min-w-0">
          <Section title={t("console.overview.you")}>
            {me.name ? <Row label={t("console.claim.name")} value={me.name} /> : null}
            <Row
              label={t("console.role")}
              hint={t(`permissions.about.${me.role}`)}
              value={t(`permissions.role.${me.role}`)}
            />
            <Row
              label={t("console.raise.title")}
              value={
                me.raised_until_ms === null
                  ? t("console.raise.off")
                  : t("console.raise.until", { time: formatTime(me.raised_until_ms) })
              }
            />
            {config ? (
              <Row
                label={t("console.overview.world")}
                hint={t(`console.market.${config.world.market.kind}`)}
                value={config.world.name}
              />
            ) : null}
          </Section>
          <Section title={t("console.overview.may")} note={t("console.overview.mayNote")}>
            {me.permissions.map((name) => (
              <div
                key={name}
                className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1.5 px-4 py-3 wide:flex-col"
              >
                <p className="min-w-0 flex-1 text-small">{t(`permissions.allows.${name}`)}</p>
                {permissions[name].elevated ? <Badge>{t("permissions.raised")}</Badge> : null}
              </div>
            ))}
          </Section>
        </div>
        <div className="min-w-0">
          <Section title={t("console.overview.acts")} note={t("console.overview.actsNote")}>
            <AuditEventList events={acts} />
          </Section>
          <LeaveRole />
        </div>
      </div>
    </ConsolePage>
  );
}
