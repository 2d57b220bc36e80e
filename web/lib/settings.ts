import { useSyncExternalStore } from "react";
import { defaultLocale, isLocale, type Locale, risesRed } from "#i18n/locales.ts";

type Theme = "system" | "light" | "dark";
/** Which colour a rise has: as the language's habit, or fixed. */
type Habit = "locale" | "green-up" | "red-up";

export interface Settings {
  language: Locale;
  theme: Theme;
  habit: Habit;
}

const themes: readonly string[] = ["system", "light", "dark"];
const habits: readonly string[] = ["locale", "green-up", "red-up"];
const grounds = { light: "#f8f1e4", dark: "#0b1524" };

/** Storage may be refused or full (a private window); the choice then lasts as long as the page. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Nothing to do: the choice is kept in memory.
  }
}

function read(): Settings {
  const language = readStored("language");
  const theme = readStored("theme");
  const habit = readStored("habit");
  return {
    language: isLocale(language) ? language : defaultLocale,
    theme: themes.includes(theme ?? "") ? (theme as Theme) : "system",
    habit: habits.includes(habit ?? "") ? (habit as Habit) : "locale",
  };
}

let settings = read();
const listeners = new Set<() => void>();

/** Whether the person ever chose a language here. */
export function languageChosen(): boolean {
  return isLocale(readStored("language"));
}

export function currentSettings(): Settings {
  return settings;
}

/** Changes settings, keeps them in this browser and applies theme and colour habit at once. */
export function changeSettings(change: Partial<Settings>): void {
  settings = { ...settings, ...change };
  for (const [key, value] of Object.entries(change)) store(key, value);
  applySettings();
  for (const listener of listeners) listener();
}

/** Whether a rise is red under the settings of now. */
function isRedUp({ habit, language }: Settings): boolean {
  return habit === "locale" ? risesRed(language) : habit === "red-up";
}

/** Writes theme and colour habit to `<html>`, where the tokens read them. */
export function applySettings(): void {
  const { dataset } = document.documentElement;
  if (settings.theme === "system") delete dataset.theme;
  else dataset.theme = settings.theme;
  dataset.habit = isRedUp(settings) ? "red-up" : "green-up";
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const own = meta.media.includes("dark") ? "dark" : "light";
    meta.content = grounds[settings.theme === "system" ? own : settings.theme];
  }
}

/** The settings of now; draws again when one changes. */
export function useSettings(): Settings {
  return useSyncExternalStore(subscribeSettings, currentSettings);
}

function subscribeSettings(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
