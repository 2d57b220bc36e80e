import { IconAlertTriangle, IconCheck, IconMinus, IconX } from "@tabler/icons-react";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { cx } from "#ui/cx.ts";
import type { Alterable } from "#web/features/receipt/tampering/alterable.ts";
import type { CheckedCopy } from "#web/features/receipt/tampering/alteredCheck.ts";
import { useValueTexts } from "#web/features/receipt/tampering/useValueTexts.ts";

interface Props {
  alterable: Alterable;
  value: string | number;
  honest: CheckedCopy;
  checked: CheckedCopy;
  onUndo: () => void;
}

/**
 * The result of checking an altered copy, beside that of the receipt. Its frame and its first line
 * say that it is no receipt.
 */
export function AlteredCopy({ alterable, value, honest, checked, onUndo }: Props) {
  const t = useText();
  const format = useValueTexts();
  const { label, format: form, value: trueValue } = alterable;
  const failedStep = checked.steps.find(({ ok }) => !ok);
  return (
    <section
      aria-label={t("altered-copy.mark")}
      className="grid gap-3 rounded-dock border border-dashed border-flare bg-flare-wash p-4"
    >
      <p className="flex items-center gap-3 font-strong text-flare">
        <IconAlertTriangle size={20} aria-hidden="true" className="shrink-0" />
        {t("altered-copy.mark")}
      </p>
      <p className="text-small break-words">
        {t("altered-copy.instead", {
          what: format.label(label),
          value: format.value(form, value),
          before: format.value(form, trueValue),
        })}
      </p>
      {failedStep ? (
        <div>
          <p className="font-strong">
            {t("altered-copy.refused", { step: t(`receipt.step.${failedStep.step}`) })}
          </p>
          <p className="text-small">{t(`receipt.problem.${failedStep.mismatch}`)}</p>
        </div>
      ) : (
        <p className="font-strong">{t("altered-copy.passed")}</p>
      )}
      <Comparison honest={honest} checked={checked} />
      <Button block variant="outline" onClick={onUndo}>
        {t("altered-copy.undo")}
      </Button>
    </section>
  );
}

type State = "passed" | "failed" | "unreached";

/** Every check of the receipt, and its result for the copy. */
function Comparison({ honest, checked }: Pick<Props, "honest" | "checked">) {
  const t = useText();
  const names = [...new Set([...honest.steps, ...checked.steps].map(({ step }) => step))];
  const stateIn = ({ steps }: CheckedCopy, name: string): State => {
    const checkStep = steps.find(({ step }) => step === name);
    if (!checkStep) return "unreached";
    return checkStep.ok ? "passed" : "failed";
  };
  return (
    <table className="w-full text-small">
      <thead className="text-left text-caption text-ink-faint">
        <tr>
          <th className="py-1 font-normal">{t("altered-copy.step")}</th>
          <th className="px-2 text-center font-normal">{t("altered-copy.receipt")}</th>
          <th className="px-2 text-center font-normal">{t("altered-copy.copy")}</th>
        </tr>
      </thead>
      <tbody className="hairlines">
        {names.map((name) => (
          <tr key={name}>
            <td className="py-1">{t(`receipt.step.${name}`)}</td>
            <Mark state={stateIn(honest, name)} />
            <Mark state={stateIn(checked, name)} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const icons = { passed: IconCheck, failed: IconX, unreached: IconMinus };

function Mark({ state }: { state: State }) {
  const t = useText();
  const Icon = icons[state];
  const words = state === "unreached" ? "altered-copy.unreached" : `receipt.step.${state}`;
  return (
    <td className={cx("px-2", state === "failed" && "text-flare")}>
      <span className="sr-only">{t(words)}</span>
      <Icon size={18} aria-hidden="true" className="mx-auto" />
    </td>
  );
}
