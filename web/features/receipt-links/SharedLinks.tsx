import { useState } from "react";
import { useIntl } from "react-intl";
import type { AnswerOf } from "#api/call.ts";
import { getReceiptLinks, revokeReceiptLink } from "#api/routes/receiptLinks.ts";
import type { SharedKind } from "#core/receipt-links/rules.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Row } from "#ui/Row.tsx";
import { Link as RouteLink } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { QueryError } from "#web/lib/api/QueryError.tsx";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate, useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

type Link = AnswerOf<typeof getReceiptLinks>["items"][number];

/** The links that this person made to their receipts, each of which can be revoked. */
export default function SharedLinks() {
  const t = useText();
  const query = useApiQuery(getReceiptLinks, {});
  const { data, error } = query;
  return (
    <Section title={t("receipt-links.title")} note={t("receipt-links.note")}>
      {data?.items.map((item) => (
        <LinkRow key={item.link_id} link={item} />
      ))}
      {data?.items.length === 0 ? (
        <p className="px-4 py-4 text-small text-ink-soft">{t("receipt-links.none")}</p>
      ) : null}
      <QueryError query={query} />
      {!data && !error ? <SkeletonRows count={1} /> : null}
    </Section>
  );
}

/** The parameter of `/verify` that opens the owner's receipt. */
const parameters: Readonly<Record<SharedKind, string>> = {
  contract: "order_id",
  hosting: "hosting_order_id",
  lease: "lease_id",
};

function LinkRow({ link }: { link: Link }) {
  const { formatDate } = useIntl();
  const t = useText();
  const errorMessage = useErrorMessage();
  const { send } = useApiMutation(revokeReceiptLink);
  const [isBusy, setIsBusy] = useState(false);
  const toDate = (atMs: number) => formatDate(atMs, { dateStyle: "medium" });
  const revoke = async () => {
    setIsBusy(true);
    try {
      await send({ link_id: link.link_id });
      toast(t("receipt-links.revoked"));
      await invalidate(getReceiptLinks);
    } catch (error) {
      toast(errorMessage(error));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Row
      label={
        <RouteLink
          to={`/verify?${parameters[link.kind]}=${link.order_id}`}
          className="text-signal-ink underline"
        >
          {t(`receipt-links.kind.${link.kind}`)}
        </RouteLink>
      }
      hint={t("receipt-links.times", {
        from: toDate(link.created_at_ms),
        to: toDate(link.expires_at_ms),
      })}
      value={
        <Button variant="outline" size="small" busy={isBusy} onClick={() => void revoke()}>
          {t("receipt-links.revoke")}
        </Button>
      }
    />
  );
}
