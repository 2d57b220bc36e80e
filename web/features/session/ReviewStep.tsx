import type { ReactNode } from "react";
import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import type { PreparedMessage } from "#web/features/session/signInFlow.ts";

/**
 * Shows what will be signed before it is signed: in plain words, field by field, and as the exact
 * text.
 */
export function ReviewStep({ prepared }: { prepared: PreparedMessage }) {
  const { formatTime } = useIntl();
  const t = useText();
  const { signer, text, domain, expiresAtMs } = prepared;
  const practice = signer.used.kind === "practice";
  const hidden = t("sign-in.review.hidden");
  const parts: [string, string][] = [
    ["sign-in.review.site", domain],
    ["sign-in.review.account", practice ? hidden : shorten(signer.address)],
    ["sign-in.review.network", practice ? t("sign-in.review.noNetwork") : signer.chainId],
    ["sign-in.review.until", formatTime(expiresAtMs)],
  ];
  return (
    <div className="flex flex-col gap-4">
      <p>{t(practice ? "sign-in.review.moves.practice" : "sign-in.review.moves")}</p>
      {practice ? <p className="text-small text-ink-soft">{t("sign-in.review.practice")}</p> : null}
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
          {t("sign-in.review.exact")}
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
  prepared: PreparedMessage;
  busy: boolean;
  note: ReactNode;
  /** The last attempt failed: the next one needs a new message. */
  isRetry: boolean;
  onSign: () => void;
  onBack: () => void;
}

export function ReviewActions({ prepared, busy, note, isRetry, onSign, onBack }: ActionProps) {
  const t = useText();
  const { used, name } = prepared.signer;
  const ask = used.kind === "practice" ? "sign-in.review.sign" : "sign-in.review.ask";
  return (
    <>
      {note}
      {busy && used.kind === "browser" && !isRetry ? (
        <output className="text-small text-ink-soft">{t("sign-in.review.look")}</output>
      ) : null}
      <Button block busy={busy} onClick={onSign}>
        {t(isRetry ? "sign-in.review.again" : ask, {
          wallet: name || t("sign-in.browser.unnamed"),
        })}
      </Button>
      <Button block variant="quiet" onClick={onBack}>
        {t("sign-in.review.other")}
      </Button>
    </>
  );
}

function shorten(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
