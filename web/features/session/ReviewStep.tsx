import type { ReactNode } from "react";
import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import type { Prepared } from "#web/features/session/signInFlow.ts";

/** Shows what will be signed beforehand: in plain words, field by field, and as the exact text. */
export function ReviewStep({ prepared }: { prepared: Prepared }) {
  const { formatTime } = useIntl();
  const t = useText();
  const { signer, text, domain, expiresAtMs } = prepared;
  const practice = signer.used.kind === "practice";
  const hidden = t("signin.review.hidden");
  const parts: [string, string][] = [
    ["signin.review.site", domain],
    ["signin.review.account", practice ? hidden : shorten(signer.address)],
    ["signin.review.network", practice ? t("signin.review.noNetwork") : signer.chainId],
    ["signin.review.until", formatTime(expiresAtMs)],
  ];
  return (
    <div className="flex flex-col gap-4">
      <p>{t("signin.review.moves")}</p>
      {practice ? <p className="text-small text-ink-soft">{t("signin.review.practice")}</p> : null}
      <dl className="hairlines -mx-4 border-y border-line">
        {parts.map(([id, value]) => (
          <div key={id} className="flex justify-between gap-4 px-4 py-2.5 text-small">
            <dt className="text-ink-soft">{t(id)}</dt>
            <dd className="min-w-0 break-words text-right">{value}</dd>
          </div>
        ))}
      </dl>
      <details>
        <summary className="min-h-11 content-center text-small text-signal-ink">
          {t("signin.review.exact")}
        </summary>
        <pre
          lang="en"
          className="rounded-dock bg-well p-3 text-caption break-words whitespace-pre-wrap"
        >
          {practice ? text.replaceAll(signer.address, `(${hidden})`) : text}
        </pre>
      </details>
    </div>
  );
}

interface ActionProps {
  prepared: Prepared;
  busy: boolean;
  note: ReactNode;
  /** The last attempt failed: the next one needs a new message. */
  again: boolean;
  onSign: () => void;
  onBack: () => void;
}

export function ReviewActions({ prepared, busy, note, again, onSign, onBack }: ActionProps) {
  const t = useText();
  const { used, name } = prepared.signer;
  const ask = used.kind === "practice" ? "signin.review.sign" : "signin.review.ask";
  return (
    <>
      {note}
      {busy && used.kind === "browser" && !again ? (
        <output className="text-small text-ink-soft">{t("signin.review.look")}</output>
      ) : null}
      <Button block busy={busy} onClick={onSign}>
        {t(again ? "signin.review.again" : ask, { wallet: name || t("signin.browser.unnamed") })}
      </Button>
      <Button block variant="quiet" onClick={onBack}>
        {t("signin.review.other")}
      </Button>
    </>
  );
}

function shorten(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
