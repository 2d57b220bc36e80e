import { useId } from "react";
import { type Role, roleNames } from "#core/operator/permissions.ts";
import { useText } from "#i18n/useText.ts";

/** A choice of the four roles, each with its permissions. */
export function RoleChoice({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const t = useText();
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="pb-1.5 text-small font-strong">{t("console.role")}</legend>
      {roleNames.map((role) => (
        <label
          key={role}
          className="relative flex min-h-11 flex-col rounded-dock border border-line px-3.5 py-2.5 transition-colors has-checked:border-ink has-checked:bg-leaf has-focus-visible:outline-2 has-focus-visible:outline-signal-ink"
        >
          <input
            type="radio"
            name={name}
            checked={role === value}
            onChange={() => onChange(role)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          <span className="font-strong">{t(`permissions.role.${role}`)}</span>
          <span className="text-small text-ink-soft">{t(`permissions.about.${role}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}
