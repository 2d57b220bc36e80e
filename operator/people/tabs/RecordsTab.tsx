import { useIntl } from "react-intl";
import type { PersonRecord } from "#api/operator/people.ts";
import { getPersonRecords } from "#api/routes/operator/people.ts";
import { useText, useTextOr } from "#i18n/useText.ts";
import { Empty } from "#ui/Empty.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { PagedList } from "#web/lib/api/PagedList.tsx";
import { useApiPages } from "#web/lib/api/useApiPages.ts";

/** Records of the current attempt, newest first, as the person sees them but without addresses. */
export function RecordsTab({ viewingId }: { viewingId: string }) {
  const { formatDate } = useIntl();
  const t = useText();
  const textOr = useTextOr();
  const list = useApiPages(getPersonRecords, { viewing_id: viewingId, page_size: 10 });
  const title = (item: PersonRecord) => {
    if (item.act) return `${item.act.what} · ${item.act.role}`;
    const direction = item.amount?.startsWith("-") ? "out" : "in";
    const name = item.type.replace(".", "_");
    const kind = `records.kind.${name === "send_move" ? `send_${direction}` : name}`;
    return textOr(kind, t(`records.group.${item.group}`));
  };
  return (
    <PagedList
      list={list}
      keyOf={(item) => item.journal_id}
      empty={<Empty title={t("people.none.records")} />}
    >
      {(item) => (
        <Row
          label={title(item)}
          hint={formatDate(item.at_ms, { dateStyle: "medium", timeStyle: "medium" })}
          value={
            item.amount !== null && item.coin !== null ? (
              <Amount value={item.amount} coin={item.coin} signed />
            ) : null
          }
          valueHint={
            item.balance_after !== null && item.coin !== null ? (
              <>
                {item.account === "held" ? (
                  <>{t("records.account.held")} </>
                ) : (
                  <span className="sr-only">{t("records.balanceAfter")} </span>
                )}
                <Amount value={item.balance_after} coin={item.coin} bare />
              </>
            ) : undefined
          }
        />
      )}
    </PagedList>
  );
}
