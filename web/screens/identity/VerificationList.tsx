import { useIntl } from "react-intl";
import { getRealNameList, type Verification } from "#api/identity.ts";
import { Badge } from "#ui/Badge.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { PagedList } from "#web/lib/PagedList.tsx";
import { useApiPages } from "#web/lib/useApiPages.ts";

/** All verifications of the person, newest first; each opens with its receipt. */
export function VerificationList({ onOpen }: { onOpen: (verification: Verification) => void }) {
  const { formatMessage } = useIntl();
  const list = useApiPages(getRealNameList, { page_size: 10 });
  return (
    <Section title={formatMessage({ id: "identity.list" })}>
      <PagedList
        list={list}
        keyOf={(one) => one.verification_id}
        className="hairlines"
        loading={<SkeletonRows count={2} />}
        empty={
          <p className="px-4 py-4 text-small text-ink-soft">
            {formatMessage({ id: "identity.none" })}
          </p>
        }
      >
        {(one) => <Item verification={one} onOpen={() => onOpen(one)} />}
      </PagedList>
    </Section>
  );
}

function Item({ verification, onOpen }: { verification: Verification; onOpen: () => void }) {
  const { formatMessage, formatDate } = useIntl();
  const { outcome, status, reason, receipt } = verification;
  const say = (id: string) => formatMessage({ id });
  return (
    <Row
      label={say(`identity.type.${verification.document_type}`)}
      hint={formatDate(verification.sent_at_ms, {
        month: "short",
        day: "numeric",
        hour: "numeric",
        minute: "2-digit",
      })}
      value={
        <Badge tone={outcome === "refused" ? "mind" : "neutral"}>
          {say(`identity.state.${outcome ?? status}`)}
        </Badge>
      }
      valueHint={
        receipt ? say("identity.receipt") : reason ? say(`identity.kind.${reason}`) : undefined
      }
      onClick={onOpen}
    />
  );
}
