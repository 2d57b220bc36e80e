import { Field as Base } from "@base-ui/react/field";
import { useId, useState } from "react";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { inputClass } from "#ui/form/TextInput.tsx";
import { Section } from "#ui/Section.tsx";
import { type ExampleName, examples } from "#web/screens/wallet-requests/examples.ts";
import type { RequestFinding } from "#web/screens/wallet-requests/explain/finding.ts";
import { explainRequest } from "#web/screens/wallet-requests/explain/request.ts";
import { Findings } from "#web/screens/wallet-requests/Findings.tsx";

const exampleNames = Object.keys(examples) as ExampleName[];

/** Explains a pasted wallet request. Only parses text. */
export function Reader() {
  const t = useText();
  const id = useId();
  const [text, setText] = useState("");
  const [findings, setFindings] = useState<RequestFinding[] | null>(null);
  const [inputError, setInputError] = useState<"empty" | "none" | null>(null);
  const explain = (request: string) => {
    const explanation = explainRequest(request);
    setFindings(explanation);
    setInputError(explanation ? null : request.trim() === "" ? "empty" : "none");
  };
  const show = (name: ExampleName) => {
    const request = JSON.stringify(examples[name], null, 2);
    setText(request);
    explain(request);
  };
  return (
    <Section
      title={t("wallet-requests.reader.title")}
      note={t("wallet-requests.reader.note")}
      kind="plain"
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          explain(text);
        }}
      >
        <Base.Root invalid={inputError !== null} className="flex flex-col gap-1.5">
          <Base.Label className="text-small font-strong">
            {t("wallet-requests.reader.label")}
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
              setInputError(null);
              setFindings(null);
            }}
          />
          {inputError ? (
            <Base.Error match={true} role="alert" className="text-small text-flare">
              {t(`wallet-requests.reader.${inputError}`)}
            </Base.Error>
          ) : null}
        </Base.Root>
        <Button type="submit" variant="outline" block>
          {t("wallet-requests.reader.explain")}
        </Button>
      </form>
      <p id={`${id}-try`} className="mt-4 mb-2 text-small text-ink-soft">
        {t("wallet-requests.reader.try")}
      </p>
      <ul aria-labelledby={`${id}-try`} className="flex flex-wrap gap-2">
        {exampleNames.map((name) => (
          <li key={name}>
            <Button variant="outline" size="small" onClick={() => show(name)}>
              {t(`wallet-requests.reader.try.${name}`)}
            </Button>
          </li>
        ))}
      </ul>
      <div aria-live="polite">{findings ? <Findings findings={findings} /> : null}</div>
    </Section>
  );
}
