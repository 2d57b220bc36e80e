import { useIntl } from "react-intl";
import { isLocale } from "#core/locales.ts";
import { localeNames } from "#i18n/locales.ts";
import { useText } from "#i18n/useText.ts";
import { useOperator } from "#operator/app/useOperator.ts";

/** A field of a body in words: "Deutsch · Title", "Tier 1 · Payout rate". */
export function useFieldName(): (at: string) => string {
  const t = useText();
  return (path) => {
    const [first = "", second = "", third] = path.split(".");
    if (first === "languages" && isLocale(second))
      return `${localeNames[second]} · ${third ? t(`publishing.field.${third}`) : ""}`;
    if (first === "tiers" && third) {
      const tier = t("publishing.tier", { number: Number(second) + 1 });
      return `${tier} · ${t(`publishing.field.${third}`)}`;
    }
    return t(`publishing.field.${first}`);
  };
}

const valueNames: Readonly<Record<string, readonly string[]>> = {
  type: ["bar", "dialog"],
  severity: ["plain", "important"],
  strategy: ["cross", "triangle", "hold"],
};

/** A value of a body in words: choices by name, times as times. */
export function useValueText(): (at: string, value: string) => string {
  const { formatDate } = useIntl();
  const t = useText();
  return (path, value) => {
    if (path.endsWith("_ms"))
      return formatDate(Number(value), { dateStyle: "medium", timeStyle: "short" });
    return valueNames[path]?.includes(value) ? t(`publishing.${path}.${value}`) : value;
  };
}

/**
 * The display name of an operator: opaque ids are shortened; oneself and the software are named.
 */
export function useOperatorNames(names: ReadonlyMap<string, string>): (id: string) => string {
  const t = useText();
  const me = useOperator();
  return (id) => {
    if (id === "software") return t("publishing.who.software");
    if (id === me?.operator_id) return t("publishing.who.you");
    const name = names.get(id);
    return name || t("publishing.who.other", { id: id.slice(0, 8) });
  };
}

/** A moment in this browser's time zone, which `getZoneName` names. */
export function useFormatDateTime(): (ms: number) => string {
  const { formatDate } = useIntl();
  return (ms) => formatDate(ms, { dateStyle: "medium", timeStyle: "short" });
}

export function getZoneName(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The value of a `datetime-local` input, in this browser's time zone. */
export function toTimeInput(ms: number | null): string {
  if (ms === null) return "";
  const date = new Date(ms);
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Null if the input is empty or holds no time. */
export function parseTimeInput(text: string): number | null {
  const ms = new Date(text).getTime();
  return text === "" || Number.isNaN(ms) ? null : ms;
}
