import { expect, test } from "vitest";
import { findMarketPreset } from "#core/market/replay/presets.ts";
import { findTemplate, worldTemplates } from "#core/market/templates.ts";
import { hourMs, minuteMs } from "#core/money/time.ts";
import texts from "#i18n/lesson-plan/en.json" with { type: "json" };
import {
  formatCreateCommand,
  planLesson,
  plannedTemplates,
  planWorld,
} from "#operator/classes/lessonPlan.ts";

test("every world template has a plan", () => {
  expect(plannedTemplates.toSorted()).toEqual(worldTemplates.map(({ name }) => name).toSorted());
});

test("a lesson on a recording begins and ends within the recording", () => {
  for (const name of plannedTemplates) {
    const preset = findMarketPreset(findTemplate(name)!.settings.MARKET!);
    if (!preset) continue;
    const { speed, start } = planWorld(name);
    const fromMs = Date.parse(start ?? preset.from);
    expect(fromMs).toBeGreaterThanOrEqual(Date.parse(preset.from));
    expect(fromMs + 45 * minuteMs * speed).toBeLessThan(Date.parse(preset.to));
    const command = formatCreateCommand(name);
    if (start !== null) expect(command).toContain(` --start ${start}`);
  }
});

test("the class sees the price of USDC within hours of its lowest, 07:15 on 11 March 2023", () => {
  const { speed, start } = planWorld("usdc-2023");
  const { startMinute } = planLesson("usdc-2023").find(({ activity }) => activity === "pauseCoin")!;
  const lookedAtMs = Date.parse(start!) + startMinute * minuteMs * speed;
  const lowestMs = Date.parse("2023-03-11T07:15Z");
  expect(lookedAtMs).toBeGreaterThanOrEqual(lowestMs);
  // Ten hours later it was still below 0.93 dollars.
  expect(lookedAtMs - lowestMs).toBeLessThan(10 * hourMs);
});

test.each(plannedTemplates)("the plan of %s fills 45 minutes, each step with its texts", (name) => {
  const steps = planLesson(name);
  expect(steps[0]!.startMinute).toBe(0);
  for (const [index, { startMinute }] of steps.slice(1).entries())
    expect(startMinute).toBe(steps[index]!.endMinute);
  expect(steps.at(-1)!.endMinute).toBe(45);
  const keys = steps.flatMap(({ activity }) => [
    `lesson-plan.${activity}.do`,
    `lesson-plan.${activity}.ask`,
  ]);
  expect(Object.keys(texts)).toEqual(expect.arrayContaining(keys));
});
