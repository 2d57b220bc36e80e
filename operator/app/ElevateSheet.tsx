import { useId, useState } from "react";
import { useText } from "#i18n/useText.ts";
import {
  closeElevation,
  type ElevationProof,
  elevate,
  useElevationOpen,
} from "#operator/app/elevate.ts";
import { FailureNote } from "#operator/app/FailureNote.tsx";
import { type ActionFailure, describeFailure } from "#operator/app/failure.ts";
import { PassphraseInput } from "#operator/app/PassphraseInput.tsx";
import {
  type FactorsView,
  listUsableKeys,
  securityPath,
  useFactors,
} from "#operator/app/useFactors.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Field } from "#ui/form/Field.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { useNavigate } from "#ui/router.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/** Elevation: what it is for, how long it lasts, the second factor and the wallet's signature. */
export function ElevateSheet() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const open = useElevationOpen();
  const { data, error, refetch, isFetching } = useFactors(open);
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => {
        if (!next) closeElevation(false);
      }}
      title={t("console.raise.title")}
    >
      {data ? (
        <Elevate key={String(open)} factors={data} />
      ) : error ? (
        <ErrorNote onRetry={() => void refetch()} busy={isFetching}>
          {errorMessage(error)}
        </ErrorNote>
      ) : (
        <SkeletonRows />
      )}
    </Sheet>
  );
}

function useElevate() {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ActionFailure | null>(null);
  const runElevation = async (proof: ElevationProof) => {
    if (busy) return;
    setBusy(true);
    setFailure(null);
    try {
      await elevate(proof);
      closeElevation(true);
    } catch (error) {
      setFailure(await describeFailure(error));
    } finally {
      setBusy(false);
    }
  };
  return { go: runElevation, busy, failure };
}

function Elevate({ factors }: { factors: FactorsView }) {
  const t = useText();
  const navigate = useNavigate();
  const { go, busy, failure } = useElevate();
  const keys = listUsableKeys(factors);
  const rpId = factors.rp_id;
  const [phraseInstead, setPhraseInstead] = useState(false);
  const byKey = rpId !== null && keys.length > 0 && !phraseInstead;
  const error = <FailureNote failure={failure} />;
  if (factors.needed !== "factor") {
    return (
      <div className="flex flex-col gap-4">
        <p>{t("console.factor.banner")}</p>
        <Button
          block
          onClick={() => {
            closeElevation(false);
            navigate(securityPath);
          }}
        >
          {t("console.factor.setUp")}
        </Button>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <div>
        <p>{t("console.raise.text")}</p>
        <p className="mt-2 text-small text-ink-soft">{t("console.raise.moves")}</p>
      </div>
      {byKey ? (
        <>
          {error}
          <Button block busy={busy} onClick={() => void go({ with: "key", rpId, keys })}>
            {t("console.raise.key")}
          </Button>
          {factors.passphrase ? (
            <Button block variant="quiet" disabled={busy} onClick={() => setPhraseInstead(true)}>
              {t("console.raise.phraseInstead")}
            </Button>
          ) : null}
        </>
      ) : factors.passphrase ? (
        <PassphraseForm
          busy={busy}
          error={error}
          onSubmit={(passphrase) => void go({ with: "passphrase", passphrase })}
        />
      ) : (
        <ErrorNote>
          {t("console.raise.elsewhere", { host: factors.keys[0]?.rp_id ?? "" })}
        </ErrorNote>
      )}
      <Button block variant="quiet" onClick={() => closeElevation(false)}>
        {t("ui.close")}
      </Button>
    </div>
  );
}

function PassphraseForm({
  busy,
  error,
  onSubmit,
}: {
  busy: boolean;
  error: React.ReactNode;
  onSubmit: (passphrase: string) => void;
}) {
  const t = useText();
  const id = useId();
  const [passphrase, setPassphrase] = useState("");
  return (
    <form
      id={id}
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (passphrase !== "") onSubmit(passphrase);
      }}
    >
      <Field label={t("console.factor.phrase.title")}>
        <PassphraseInput
          value={passphrase}
          onChange={setPassphrase}
          autoComplete="current-password"
        />
      </Field>
      {error}
      <Button type="submit" block busy={busy} disabled={passphrase === ""}>
        {t("console.raise.do")}
      </Button>
    </form>
  );
}
