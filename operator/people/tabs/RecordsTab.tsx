import { useIntl } from "react-intl";
import type { PersonRecord } from "#api/operator/people.ts";
import { getPersonRecords } from "#api/routes/operator/people.ts";
import { Paged, usePages } from "#operator/people/tabs/Paged.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { useCall } from "#web/lib/useApiQuery.ts";

/** Records of the current attempt, newest first, as the person has them, without what names an address. */
export function RecordsPart({ viewingId }: { viewingId: string }) {
  const { formatMessage, formatDate, messages } = useIntl();
  const { asked, turn } = usePages();
  const input = { viewing_id: viewingId, ...asked };
  const answer = useCall(getPersonRecords, input, { keepPrevious: true });
  const title = (one: PersonRecord) => {
    if (one.act) return `${one.act.what} · ${one.act.role}`;
    const way = one.amount?.startsWith("-") ? "out" : "in";
    const name = one.type.replace(".", "_");
    const kind = `records.kind.${name === "send_move" ? `send_${way}` : name}`;
    const id = Object.hasOwn(messages, kind) ? kind : `records.group.${one.group}`;
    return formatMessage({ id });
  };
  return (
    <Paged answer={answer} onTurn={turn} none={formatMessage({ id: "person.none.records" })}>
      {(one) => (
        <Row
          key={one.journal_id}
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
                  <>{formatMessage({ id: "records.account.held" })} </>
                ) : (
                  <span className="sr-only">{formatMessage({ id: "records.balanceAfter" })} </span>
                )}
                <Amount value={one.balance_after} coin={one.coin} bare />
              </>
            ) : undefined
          }
        />
      )}
    </Paged>
  );
}
