import { defaultLocale, isLocale, type Locale } from "#core/locales.ts";
import { isRiseRed, matchLocale } from "#i18n/locales.ts";
import { createStore, useStore } from "#ui/createStore.ts";
import { browserStorage } from "#web/lib/storage.ts";

type Theme = "system" | "light" | "dark";
/** Which colour a rise has: the language's convention, or fixed. */
type PriceColours = "locale" | "green-up" | "red-up";

export interface Settings {
  language: Locale;
  theme: Theme;
  habit: PriceColours;
}

const themes: readonly string[] = ["system", "light", "dark"];
const priceColours: readonly string[] = ["locale", "green-up", "red-up"];
const grounds = { light: "#f8f1e4", dark: "#0b1524" };

function readSettings(): Settings {
  const language = browserStorage.read("language");
  const theme = browserStorage.read("theme");
  const habit = browserStorage.read("habit");
  return {
    // The chosen language; until one is chosen, the browser's language.
    language: isLocale(language) ? language : (matchLocale(navigator.languages) ?? defaultLocale),
    theme: themes.includes(theme ?? "") ? (theme as Theme) : "system",
    habit: priceColours.includes(habit ?? "") ? (habit as PriceColours) : "locale",
  };
}

const settings = createStore(readSettings());

export const getSettings = settings.read;

/**
 * Changes settings, stores them in this browser and applies theme and colour convention
 * immediately.
 */
export function changeSettings(change: Partial<Settings>): void {
  const next = { ...settings.read(), ...change };
  for (const name of ["language", "theme", "habit"] as const) {
    if (change[name] !== undefined) browserStorage.write(name, next[name]);
  }
  applySettings(next);
  settings.set(next);
}

/** Follows choices made in another tab of this browser. */
export function followOtherTabs(): void {
  addEventListener("storage", ({ storageArea }) => {
    if (storageArea !== localStorage) return;
    const next = readSettings();
    applySettings(next);
    settings.set(next);
  });
}

/** Returns true if a rise is red under these settings. */
function isRedUp({ habit, language }: Settings): boolean {
  return habit === "locale" ? isRiseRed(language) : habit === "red-up";
}

/** Sets theme and colour convention on `<html>`, where the tokens read them. */
export function applySettings(applied = getSettings()): void {
  const { dataset } = document.documentElement;
  if (applied.theme === "system") delete dataset.theme;
  else dataset.theme = applied.theme;
  dataset.habit = isRedUp(applied) ? "red-up" : "green-up";
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const scheme = meta.media.includes("dark") ? "dark" : "light";
    meta.content = grounds[applied.theme === "system" ? scheme : applied.theme];
  }
}

/** The current settings; re-renders when one changes. */
export function useSettings(): Settings {
  return useStore(settings);
}
