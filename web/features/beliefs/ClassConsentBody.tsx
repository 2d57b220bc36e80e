import { useIntl } from "react-intl";
import { getClassConsent, setClassConsent } from "#api/routes/beliefs.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Section } from "#ui/Section.tsx";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { replaceAnswer, useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/** Off until they agree; the same button revokes it. */
export default function ClassConsentBody({ onlyAgreed = false }: { onlyAgreed?: boolean }) {
  const t = useText();
  const { formatDate } = useIntl();
  const errorMessage = useErrorMessage();
  const { data } = useApiQuery(getClassConsent, {});
  const { send, isBusy, error } = useApiMutation(setClassConsent);
  const agreedAtMs = data?.agreed_at_ms ?? null;
  if (!data?.in_class || (onlyAgreed && agreedAtMs === null)) return null;
  const change = async () => {
    const { data: answer } = await send({ agreed: agreedAtMs === null });
    await replaceAnswer(getClassConsent, {}, answer);
  };
  return (
    <Section title={t("beliefs.class")} kind="plain">
      <p className="text-small text-ink-soft">{t("beliefs.class.text")}</p>
      {agreedAtMs === null ? null : (
        <p className="pt-2 text-small">
          {t("beliefs.class.agreed", {
            time: formatDate(agreedAtMs, { dateStyle: "medium", timeStyle: "short" }),
          })}
        </p>
      )}
      <div className="flex flex-col items-start gap-3 pt-3">
        {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
        <Button
          size="small"
          variant="outline"
          busy={isBusy}
          onClick={() => void change().catch(() => undefined)}
        >
          {t(agreedAtMs === null ? "beliefs.class.agree" : "beliefs.class.stop")}
        </Button>
      </div>
    </Section>
  );
}
