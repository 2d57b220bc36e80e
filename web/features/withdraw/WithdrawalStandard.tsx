import { useText } from "#i18n/useText.ts";

const rules = [
  "withdraw.standard.1",
  "withdraw.standard.2",
  "withdraw.standard.3",
  "withdraw.standard.4",
  "withdraw.standard.5",
  "withdraw.standard.6",
  "withdraw.standard.7",
] as const;

/**
 * The withdrawal standard in plain words: what may never be demanded of anyone. The caller provides
 * the heading.
 */
export function WithdrawalStandard() {
  const t = useText();
  return (
    <div className="text-small text-ink-soft">
      <p>{t("withdraw.standard.intro")}</p>
      <ol className="mt-3 flex flex-col gap-2.5">
        {rules.map((id, index) => (
          <li key={id} className="flex gap-3">
            <span aria-hidden="true" className="w-4 shrink-0 text-right text-ink-faint">
              {index + 1}
            </span>
            <span>{t(id)}</span>
          </li>
        ))}
      </ol>
      <p className="mt-3">{t("withdraw.standard.here")}</p>
    </div>
  );
}
