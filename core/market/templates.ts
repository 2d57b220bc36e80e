/** A preset for a new world: its market, speed and start, by the names of the settings. */
export interface WorldTemplate {
  name: string;
  /** The purpose of the world, in a sentence. */
  about: string;
  settings: Readonly<Record<string, string>>;
  /** The next step in the console once the world is open; switches are left to the operator. */
  hint?: string;
}

export const worldTemplates: readonly WorldTemplate[] = [
  {
    name: "blank",
    about: "A simulated market at the speed of the clock, from now on.",
    settings: { MARKET: "simulated", WORLD_SPEED: "1" },
  },
  {
    name: "mining-month",
    about: "Thirty days of mining within a day: a simulated market thirty times as fast.",
    settings: { MARKET: "simulated", WORLD_SPEED: "30" },
    hint: "Contracts are over in seconds at this speed: turn them off under Classes in the console.",
  },
  {
    name: "usdc-2023",
    about: "Four days of March 2023, in which a stablecoin was worth 0.87 dollars.",
    settings: { MARKET: "preset:usdc-2023", WORLD_SPEED: "1" },
  },
  {
    name: "calm-fortnight",
    about: "Two weeks of August 2023 in which hardly anything happened.",
    settings: { MARKET: "preset:calm-2023", WORLD_SPEED: "1" },
  },
];

export function findTemplate(name: string): WorldTemplate | null {
  return worldTemplates.find((template) => template.name === name) ?? null;
}
