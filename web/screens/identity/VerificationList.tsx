import { useState } from "react";
import { useIntl } from "react-intl";
import type { Verification } from "#api/identity.ts";
import { getRealNameList } from "#api/routes/identity.ts";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useCall } from "#web/lib/useApiQuery.ts";
import { useSentence } from "#web/lib/useErrorMessage.ts";

const pageSize = 10;
/** As many as a list may give at once. */
const most = 100;

/** All verifications of the person, newest first; each opens with its receipt. */
export function VerificationList({ onOpen }: { onOpen: (verification: Verification) => void }) {
  const { formatMessage } = useIntl();
  const sentence = useSentence();
  const [size, setSize] = useState(pageSize);
  const list = useCall(getRealNameList, { page: 1, page_size: size }, { keepPrevious: true });
  return (
    <Section title={formatMessage({ id: "identity.list" })}>
      {list.isError ? (
        <div className="p-4">
          <ErrorNote onRetry={() => void list.refetch()}>{sentence(list.error)}</ErrorNote>
        </div>
      ) : list.data ? (
        list.data.items.length > 0 ? (
          list.data.items.map((one) => (
            <Item key={one.verification_id} verification={one} onOpen={() => onOpen(one)} />
          ))
        ) : (
          <p className="px-4 py-4 text-small text-ink-soft">
            {formatMessage({ id: "identity.none" })}
          </p>
        )
      ) : (
        <SkeletonRows count={2} />
      )}
      {list.data?.has_more && size < most ? (
        <div className="p-4">
          <Button
            block
            variant="quiet"
            busy={list.isFetching}
            onClick={() => setSize(Math.min(most, size + 3 * pageSize))}
          >
            {formatMessage({ id: "identity.more" })}
          </Button>
        </div>
      ) : null}
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
