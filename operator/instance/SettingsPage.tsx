import type { AnswerOf } from "#api/call.ts";
import { getSettings } from "#api/routes/operator/instance.ts";
import { useText } from "#i18n/useText.ts";
import { useAuditEventTitle } from "#operator/app/AuditEventList.tsx";
import { ConsolePage } from "#operator/app/ConsolePage.tsx";
import { useMayChange, useOperator } from "#operator/app/useOperator.ts";
import { ChatLink } from "#operator/instance/ChatLink.tsx";
import { ExportLink } from "#operator/instance/ExportLink.tsx";
import { useFigures } from "#operator/instance/figures.ts";
import { QueryState } from "#operator/instance/QueryState.tsx";
import { Table } from "#operator/instance/Table.tsx";
import { Empty } from "#ui/Empty.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";

type Settings = AnswerOf<typeof getSettings>;

/** The settings that can be changed at runtime, who changed them, and the environment's values. */
export default function SettingsPage() {
  const t = useText();
  const query = useApiQuery(getSettings, {}, { refetchMs: 15_000 });
  const mayChange = useMayChange("instance.settings");
  return (
    <ConsolePage
      title={t("console.nav.settings")}
      lead={t("instance.settings.lead")}
      actions={<ExportLink table="settings" title={t("console.nav.settings")} />}
    >
      <QueryState query={query}>
        {(settings) => (
          <>
            <ChatLink setting={settings.chat_link} mayChange={mayChange} />
            <Switches settings={settings} />
            <Changes changes={settings.changes} />
            <Section title={t("instance.environment")} note={t("instance.environmentNote")}>
              <Table
                label={t("instance.environment")}
                rows={settings.environment}
                getKey={({ name }) => name}
                columns={[
                  {
                    id: "name",
                    head: t("instance.variable"),
                    cell: ({ name }) => <code className="font-mono">{name}</code>,
                  },
                  {
                    id: "value",
                    head: t("instance.chart.value"),
                    cell: ({ value, set }) =>
                      value === null ? (
                        <span className="text-ink-faint">
                          {t(set ? "instance.setHidden" : "instance.notSet")}
                        </span>
                      ) : (
                        <span className="break-all">{value}</span>
                      ),
                  },
                ]}
              />
            </Section>
          </>
        )}
      </QueryState>
    </ConsolePage>
  );
}

/** Class switches are set on the class page and only shown here. */
function Switches({ settings }: { settings: Settings }) {
  const t = useText();
  const me = useOperator();
  const may = (permission: "class.contracts_switch" | "class.sign_up_switch") =>
    me?.permissions.includes(permission) ? { to: "/operator/classes" } : {};
  return (
    <Section title={t("instance.switches")} note={t("instance.switchesNote")}>
      <Row
        label={t("instance.contractsSwitch")}
        value={t(settings.contracts_on ? "instance.on" : "instance.off")}
        {...may("class.contracts_switch")}
      />
      <Row
        label={t("instance.signUp")}
        value={t(`instance.signUp.${settings.sign_up}`)}
        {...may("class.sign_up_switch")}
      />
    </Section>
  );
}

function Changes({ changes }: Pick<Settings, "changes">) {
  const t = useText();
  const { moment } = useFigures();
  const title = useAuditEventTitle();
  return (
    <Section title={t("instance.changes")} note={t("instance.changesNote")}>
      {changes.length === 0 ? (
        <Empty title={t("instance.none")} />
      ) : (
        changes.map(({ seq, what, name, operator_id: id, at_ms: atMs }) => (
          <Row
            key={seq}
            label={title(what)}
            hint={`${name ?? id.slice(0, 8)} · ${moment(atMs)}`}
            value={<span className="text-small text-ink-faint tabular-nums">{seq}</span>}
          />
        ))
      )}
    </Section>
  );
}
