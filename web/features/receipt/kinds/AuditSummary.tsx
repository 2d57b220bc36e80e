import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import type { ActDetail, PublicationDetail } from "#web/features/receipt/kinds/auditKind.ts";

/** An operator's action, as its opening states it. */
export function ActSummary({ detail: { receipt } }: { detail: ActDetail }) {
  const t = useText();
  const { what, role, why } = receipt.act;
  return (
    <Section title={t("receipt.act")}>
      <Row
        label={t("receipt.act.what")}
        value={<span className="font-mono text-small">{what}</span>}
      />
      <Row
        label={t("receipt.act.role")}
        value={<span className="font-mono text-small">{role}</span>}
      />
      {why === null ? null : <Row label={t("receipt.act.why")} value={why} />}
      <Place atMs={receipt.at_ms} leaf={receipt.leaf} />
    </Section>
  );
}

/** Which version of what was published, and when. */
export function PublicationSummary({ detail: { receipt } }: { detail: PublicationDetail }) {
  const t = useText();
  const { kind, subject, version } = receipt;
  return (
    <Section title={t("receipt.publication")}>
      <Row
        label={t("receipt.publication.kind")}
        value={
          <span className="font-mono text-small">{subject ? `${kind} ${subject}` : kind}</span>
        }
      />
      <Row label={t("receipt.publication.version")} value={version} />
      <Place atMs={receipt.published_at_ms} leaf={receipt.leaf} />
    </Section>
  );
}

function Place({ atMs, leaf }: { atMs: number; leaf: number }) {
  const { formatDate, formatNumber } = useIntl();
  const t = useText();
  return (
    <>
      <Row
        label={t("receipt.act.time")}
        value={formatDate(atMs, { dateStyle: "medium", timeStyle: "medium" })}
      />
      <Row label={t("receipt.act.leaf")} value={formatNumber(leaf)} />
    </>
  );
}
