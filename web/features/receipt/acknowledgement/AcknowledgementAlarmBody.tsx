import { IconAlertTriangle, IconDownload } from "@tabler/icons-react";
import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { type StoredAcknowledgement, writeAcknowledgement } from "#web/lib/acknowledgements.ts";
import { saveFile } from "#web/lib/saveFile.ts";

/** Says that the instance broke a promise it had signed, and what to do about it. */
export default function AcknowledgementAlarmBody({
  broken,
}: {
  broken: readonly StoredAcknowledgement[];
}) {
  const t = useText();
  const { formatDate } = useIntl();
  const [first] = broken;
  if (!first) return null;
  const acknowledgeAll = () => {
    for (const acknowledgement of broken)
      writeAcknowledgement({ ...acknowledgement, notified: true });
  };
  const problem = first.problem ?? "acknowledgement_malformed";
  return (
    <section
      role="alert"
      aria-label={t("receipt.promise.broken", { count: broken.length })}
      className="mx-4 mt-2 flex gap-3 rounded-dock border border-flare bg-flare-wash px-4 py-3.5"
    >
      <IconAlertTriangle size={24} aria-hidden="true" className="mt-0.5 shrink-0 text-flare" />
      <div className="grid min-w-0 gap-2 text-small">
        <p className="text-body font-strong">
          {t("receipt.promise.broken", { count: broken.length })}
        </p>
        <p>
          {t("receipt.promise.when", {
            date: formatDate(first.answeredMs, { dateStyle: "medium", timeStyle: "medium" }),
          })}{" "}
          {t(`receipt.problem.${problem}`)}
        </p>
        <p>{t("receipt.promise.do")}</p>
        <div className="flex flex-wrap gap-3 pt-1">
          <Button
            variant="outline"
            size="small"
            icon={<IconDownload size={18} aria-hidden="true" />}
            onClick={() => saveEvidence(broken)}
          >
            {t("receipt.promise.save")}
          </Button>
          <Button variant="quiet" size="small" onClick={acknowledgeAll}>
            {t("receipt.promise.understood")}
          </Button>
        </div>
      </div>
    </section>
  );
}

/** Saves one file per promise, in the form that `npm run verify -- --ack` reads. */
function saveEvidence(acknowledgements: readonly StoredAcknowledgement[]): void {
  for (const { kept, sent, answeredMs } of acknowledgements) {
    const name = `drydock-promise-${sent.key.replaceAll(/[^0-9a-f-]/g, "")}.json`;
    const content = kept ?? { sent, answered_ms: answeredMs };
    saveFile(name, `${JSON.stringify(content, null, 2)}\n`);
  }
}
