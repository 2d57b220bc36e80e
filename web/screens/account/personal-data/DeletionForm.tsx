import type { getDeletion } from "#api/account.ts";
import type { AnswerOf } from "#api/call.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { getUsedWallet } from "#web/features/session/walletStorage.ts";
import { DeletionFacts } from "#web/screens/account/personal-data/DeletionFacts.tsx";

interface DeletionFormProps {
  plan: AnswerOf<typeof getDeletion>;
  word: string;
  onWord: (word: string) => void;
  onExport: () => void;
}

/** The data that is deleted and that stays, a link to the export, and the word to type. */
export function DeletionForm({ plan, word, onWord, onExport }: DeletionFormProps) {
  const t = useText();
  return (
    <>
      <DeletionFacts plan={plan} />
      <Button variant="quiet" size="small" className="mt-2 -ml-3.5" onClick={onExport}>
        {t("personal-data.delete.exportFirst")}
      </Button>
      <div className="mt-4">
        <Field label={t("personal-data.delete.type", { word: plan.word })}>
          <TextInput
            value={word}
            onChange={onWord}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={60}
          />
        </Field>
      </div>
      {plan.sign_in_again && getUsedWallet()?.kind === "browser" ? (
        <p className="mt-2 text-small text-ink-soft">{t("personal-data.delete.signAgain")}</p>
      ) : null}
    </>
  );
}
