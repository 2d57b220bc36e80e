import { useIntl } from "react-intl";
import type { Verification } from "#api/identity.ts";
import { getRealNameList } from "#api/routes/identity.ts";
import { useText } from "#i18n/useText.ts";
import { Badge } from "#ui/Badge.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { PagedList } from "#web/lib/api/PagedList.tsx";
import { useApiPages } from "#web/lib/api/useApiPages.ts";

/** All verifications of the person, newest first; each opens with its receipt. */
export function VerificationList({ onOpen }: { onOpen: (verification: Verification) => void }) {
  const t = useText();
  const list = useApiPages(getRealNameList, { page_size: 10 });
  return (
    <Section title={t("identity.list")}>
      <PagedList
        list={list}
        keyOf={(item) => item.verification_id}
        className="hairlines"
        loading={<SkeletonRows count={2} />}
        empty={<p className="px-4 py-4 text-small text-ink-soft">{t("identity.none")}</p>}
      >
        {(item) => <Item verification={item} onOpen={() => onOpen(item)} />}
      </PagedList>
    </Section>
  );
}

function Item({ verification, onOpen }: { verification: Verification; onOpen: () => void }) {
  const { formatDate } = useIntl();
  const t = useText();
  const { outcome, status, reason, receipt } = verification;
  return (
    <Row
      label={t(`identity.type.${verification.document_type}`)}
      hint={formatDate(verification.sent_at_ms, {
        month: "short",
        day: "numeric",
        hour: "numeric",
        minute: "2-digit",
      })}
      value={
        <Badge tone={outcome === "refused" ? "warning" : "neutral"}>
          {t(`identity.state.${outcome ?? status}`)}
        </Badge>
      }
      valueHint={
        receipt ? t("identity.receipt") : reason ? t(`identity.kind.${reason}`) : undefined
      }
      onClick={onOpen}
    />
  );
}
