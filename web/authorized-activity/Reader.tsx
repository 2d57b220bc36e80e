import { Field as Base } from "@base-ui/react/field";
import { useState } from "react";
import { useIntl } from "react-intl";
import { Badge, type BadgeTone } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { Section } from "#ui/Section.tsx";
import { inputClass } from "#ui/TextInput.tsx";
import type { Finding } from "#web/authorized-activity/explain/finding.ts";
import { explainRequest } from "#web/authorized-activity/explain/request.ts";

const tones: Record<Finding["risk"], BadgeTone> = {
  takes: "mind",
  moves: "mind",
  careful: "mind",
  shows: "neutral",
  ends: "neutral",
};

/** Explains a wallet request that was pasted. Only reads text. */
export function Reader() {
  const { formatMessage } = useIntl();
  const [text, setText] = useState("");
  const [findings, setFindings] = useState<Finding[] | null>(null);
  const [fault, setFault] = useState<"empty" | "none" | null>(null);
  const explain = () => {
    const found = explainRequest(text);
    setFindings(found);
    setFault(found ? null : text.trim() === "" ? "empty" : "none");
  };
  return (
    <Section
      title={formatMessage({ id: "authorized.reader.title" })}
      note={formatMessage({ id: "authorized.reader.note" })}
      kind="plain"
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          explain();
        }}
      >
        <Base.Root invalid={fault !== null} className="flex flex-col gap-1.5">
          <Base.Label className="text-small font-strong">
            {formatMessage({ id: "authorized.reader.label" })}
          </Base.Label>
          <Base.Control
            render={
              <textarea
                rows={4}
                spellCheck={false}
                autoComplete="off"
                className={`${inputClass} py-2.5 font-mono text-small`}
              />
            }
            value={text}
            onValueChange={(next: string) => {
              setText(next);
              setFault(null);
              setFindings(null);
            }}
          />
          {fault ? (
            <Base.Error match={true} role="alert" className="text-small text-flare">
              {formatMessage({ id: `authorized.reader.${fault}` })}
            </Base.Error>
          ) : null}
        </Base.Root>
        <Button type="submit" variant="outline" block>
          {formatMessage({ id: "authorized.reader.explain" })}
        </Button>
      </form>
      <div aria-live="polite">{findings ? <Findings findings={findings} /> : null}</div>
    </Section>
  );
}

function Findings({ findings }: { findings: Finding[] }) {
  const { formatMessage } = useIntl();
  return (
    <div className="mt-4">
      <h3 className="font-strong">{formatMessage({ id: "authorized.reader.result" })}</h3>
      <ol className="hairlines mt-2 border-y border-line">
        {findings.map((found, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one request, in its order, never moved
          <li key={index} className="flex flex-col items-start gap-1.5 py-3">
            <Badge tone={tones[found.risk]}>
              {formatMessage({ id: `authorized.risk.${found.risk}` })}
            </Badge>
            <p className="max-w-full text-small [overflow-wrap:anywhere]">
              {formatMessage({ id: `authorized.does.${found.id}` }, found.values)}
            </p>
          </li>
        ))}
      </ol>
    </div>
  );
}
