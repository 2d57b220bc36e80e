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
  const title = (one: PersonRecord) => {
    if (one.act) return `${one.act.what} · ${one.act.role}`;
    const way = one.amount?.startsWith("-") ? "out" : "in";
    const name = one.type.replace(".", "_");
    const kind = `records.kind.${name === "send_move" ? `send_${way}` : name}`;
    return textOr(kind, t(`records.group.${one.group}`));
  };
  return (
    <PagedList
      list={list}
      keyOf={(one) => one.journal_id}
      empty={<Empty title={t("people.none.records")} />}
    >
      {(one) => (
        <Row
          label={title(one)}
          hint={formatDate(one.at_ms, { dateStyle: "medium", timeStyle: "medium" })}
          value={
            one.amount !== null && one.coin !== null ? (
              <Amount value={one.amount} coin={one.coin} signed />
            ) : null
          }
          valueHint={
            one.balance_after !== null && one.coin !== null ? (
              <>
                {one.account === "held" ? (
                  <>{t("records.account.held")} </>
                ) : (
                  <span className="sr-only">{t("records.balanceAfter")} </span>
                )}
                <Amount value={one.balance_after} coin={one.coin} bare />
              </>
            ) : undefined
          }
        />
      )}
    </PagedList>
  );
}
