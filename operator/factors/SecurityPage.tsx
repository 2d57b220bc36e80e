import { useState } from "react";
import { parseCode } from "#core/operator/code.ts";
import { useText } from "#i18n/useText.ts";
import { ConsolePage } from "#operator/app/ConsolePage.tsx";
import { useFactors } from "#operator/app/useFactors.ts";
import { KeySection } from "#operator/factors/KeySection.tsx";
import { PassphraseSection } from "#operator/factors/PassphraseSection.tsx";
import type { Setup } from "#operator/factors/useFactorChange.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/** The operator's second factors: the proof that elevation takes besides the wallet's signature. */
export default function SecurityPage() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { data, error, refetch, isFetching } = useFactors();
  const [code, setCode] = useState("");
  const [rejected, setRejected] = useState(false);
  const lead = data?.ready ? t("console.factor.lead.ready") : t("console.factor.lead.missing");
  if (!data) {
    return (
      <ConsolePage title={t("console.nav.security")}>
        {error ? (
          <div className="p-4">
            <ErrorNote onRetry={() => void refetch()} busy={isFetching}>
              {errorMessage(error)}
            </ErrorNote>
          </div>
        ) : (
          <SkeletonRows />
        )}
      </ConsolePage>
    );
  }
  const setup: Setup = { factors: data, code, rejectCode: () => setRejected(true) };
  return (
    <ConsolePage title={t("console.nav.security")} lead={lead}>
      {data.needed === "code" ? (
        <Section
          title={t("console.factor.code.title")}
          note={t("console.factor.code.text")}
          kind="plain"
        >
          <div className="max-w-120">
            <Field
              label={t("console.claim.code")}
              error={rejected && parseCode(code) === null ? t("console.claim.codeForm") : undefined}
            >
              <TextInput
                value={code}
                onChange={setCode}
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                className="font-mono"
              />
            </Field>
          </div>
        </Section>
      ) : null}
      <KeySection setup={setup} />
      <PassphraseSection setup={setup} />
      <Section title={t("console.factor.lost.title")} kind="plain">
        <p className="max-w-160 text-small text-ink-soft">
          {t("console.factor.lost.text", { command: "npm run operator -- reset" })}
        </p>
      </Section>
    </ConsolePage>
  );
}
