import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { Badge, type BadgeTone } from "#ui/Badge.tsx";
import { getDanger, type RequestFinding } from "#web/screens/wallet-requests/explain/finding.ts";
import { addNames, loadSignatures } from "#web/screens/wallet-requests/explain/names.ts";

const tones: Record<RequestFinding["risk"], BadgeTone> = {
  takes: "warning",
  moves: "warning",
  careful: "warning",
  shows: "neutral",
  ends: "neutral",
};

/** The effects of a request, one by one; the file of function names loads once one is needed. */
export function Findings({ findings }: { findings: RequestFinding[] }) {
  const { formatDate } = useIntl();
  const t = useText();
  const nameless = findings.some(({ id }) => id === "unknownCall");
  const { data: signatures } = useQuery({
    queryKey: ["signatures"],
    queryFn: loadSignatures,
    enabled: nameless,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a phone the answer is below the visible part.
    if (findings.length > 0) top.current?.scrollIntoView({ block: "nearest" });
  }, [findings]);
  const requestFindings = signatures ? addNames(findings, signatures) : findings;
  return (
    <div ref={top} className="mt-4 scroll-mb-20">
      <h3 className="font-strong">{t("wallet-requests.reader.result")}</h3>
      <ol className="hairlines mt-2 border-y border-line">
        {requestFindings.map((requestFinding, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a request never move
          <li key={index} className="flex flex-col items-start gap-1.5 py-3">
            <Title finding={requestFinding} />
            <p className="max-w-full text-small [overflow-wrap:anywhere]">
              {t(`wallet-requests.does.${requestFinding.id}`, inlineValues(requestFinding.values))}
            </p>
          </li>
        ))}
      </ol>
      {nameless && signatures ? (
        <details className="mt-2 text-caption text-ink-faint">
          <summary className="min-h-11 content-center">
            {t("wallet-requests.reader.names", {
              count: Object.keys(signatures.signatures).length,
              day: formatDate(`${signatures.day}T12:00:00Z`, {
                dateStyle: "medium",
                timeZone: "UTC",
              }),
            })}
          </summary>
          {signatures.sources.join(", ")}
        </details>
      ) : null}
    </div>
  );
}

/** Lets addresses and other long hex break anywhere, so that they do not tear a sentence apart. */
function inlineValues(values: RequestFinding["values"]): Record<string, ReactNode> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      /^0x[0-9a-f]{16,}$/i.test(value) ? (
        <span key={name} translate="no" className="font-mono text-caption break-all">
          {value}
        </span>
      ) : (
        value
      ),
    ]),
  );
}

/** The danger by name, where it has one, and the kind of request. */
function Title({ finding }: { finding: RequestFinding }) {
  const t = useText();
  const danger = getDanger(finding);
  return (
    <div className="flex flex-wrap items-center gap-2">
      {danger ? (
        <strong className="font-strong">{t(`wallet-requests.danger.${danger}`)}</strong>
      ) : null}
      <Badge tone={tones[finding.risk]}>{t(`wallet-requests.risk.${finding.risk}`)}</Badge>
    </div>
  );
}
