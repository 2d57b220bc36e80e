import { useText } from "#i18n/useText.ts";
import { Chip } from "#ui/Chip.tsx";
import { type CompareBy, comparisons } from "./compare.ts";

/** Chooses what the attempts are compared by. */
export function ComparePicker({
  value,
  onChange,
}: {
  value: CompareBy;
  onChange: (by: CompareBy) => void;
}) {
  const t = useText();
  return (
    <fieldset
      aria-label={t("attempts.by")}
      className="flex min-w-0 gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none] *:shrink-0"
    >
      {comparisons.map((by) => (
        <Chip key={by} selected={by === value} onClick={() => onChange(by)}>
          {t(`attempts.by.${by}`)}
        </Chip>
      ))}
    </fieldset>
  );
}
