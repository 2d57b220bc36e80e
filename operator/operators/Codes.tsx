import { useState } from "react";
import { useIntl } from "react-intl";
import type { AnswerOf } from "#api/call.ts";
import { getOperators, withdrawInvitation } from "#api/routes/operator/operators.ts";
import { useText } from "#i18n/useText.ts";
import { useMayChange } from "#operator/app/useOperator.ts";
import { useOperatorMutation } from "#operator/app/useOperatorMutation.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/** Codes not used yet. Only their recipients know the codes themselves. */
export function Codes({ codes }: { codes: AnswerOf<typeof getOperators>["codes"] }) {
  const { formatDate } = useIntl();
  const t = useText();
  const errorMessage = useErrorMessage();
  const { send, isBusy, error } = useOperatorMutation(withdrawInvitation);
  const mayRevoke = useMayChange("operators.manage");
  const [chosenCode, setChosenCode] = useState("");
  const revoke = async (hash: string) => {
    setChosenCode(hash);
    await send({ code_hash: hash });
    await invalidate(getOperators);
  };
  return (
    <Section title={t("console.codes.title")}>
      {codes.map(({ code_hash: hash, role, expires_at_ms: expiresAtMs }) => (
        <Row
          key={hash}
          label={t(`permissions.role.${role}`)}
          hint={t("console.codes.until", {
            time: formatDate(expiresAtMs, { dateStyle: "medium", timeStyle: "short" }),
          })}
          value={
            mayRevoke ? (
              <Button
                variant="quiet"
                size="small"
                busy={isBusy && chosenCode === hash}
                onClick={() => void revoke(hash).catch(() => undefined)}
              >
                {t("console.codes.back")}
              </Button>
            ) : undefined
          }
        />
      ))}
      {error ? (
        <div className="p-4">
          <ErrorNote>{errorMessage(error)}</ErrorNote>
        </div>
      ) : null}
    </Section>
  );
}
