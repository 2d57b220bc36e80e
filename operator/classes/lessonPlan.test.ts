import { expect, test } from "vitest";
import { worldTemplates } from "#core/market/templates.ts";
import texts from "#i18n/lesson-plan/en.json" with { type: "json" };
import { planLesson, plannedTemplates } from "#operator/classes/lessonPlan.ts";

test("every template of a world has a plan", () => {
  expect(plannedTemplates.toSorted()).toEqual(worldTemplates.map(({ name }) => name).toSorted());
});

test.each(plannedTemplates)("the plan of %s fills 45 minutes, each step with its texts", (name) => {
  const steps = planLesson(name);
  expect(steps[0]!.from).toBe(0);
  for (const [index, { from }] of steps.slice(1).entries()) expect(from).toBe(steps[index]!.to);
  expect(steps.at(-1)!.to).toBe(45);
  const keys = steps.flatMap(({ activity }) => [
    `lesson-plan.${activity}.do`,
    `lesson-plan.${activity}.ask`,
  ]);
  expect(Object.keys(texts)).toEqual(expect.arrayContaining(keys));
});
