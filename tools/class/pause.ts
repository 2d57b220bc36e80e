import { setTimeout as sleep } from "node:timers/promises";
import { createAddress } from "#server/withdraw/testing.ts";
import type { Translate } from "../browser/words.ts";
import { callAsPupil, type Pupil } from "./pupil.ts";
import { isPausedOnScreen } from "./pupilScreens.ts";
import type { Teacher } from "./teacher.ts";

/**
 * The number of pupils who withdraw everything during the pause: eight, without the third of the
 * class that orders after it.
 */
export const countLeaving = (pupils: number) => Math.min(8, pupils - Math.ceil(pupils / 3));

interface Clock {
  clock: { now_ms: number; pause: { ordinal: number; at_ms: number } | null };
}

/**
 * Pauses the class, has everyone try to order and some withdraw everything, and resumes. One of
 * them has the trade screen open.
 */
export async function pauseClass(
  teacher: Teacher,
  pupils: readonly Pupil[],
  { contractId, say }: { contractId: string; say: Translate },
) {
  await teacher.elevate();
  await teacher.change("/api/operator/class/pauseClock", { at_ms: null });
  const state = () => teacher.read<Clock>("/api/operator/class/getClass");
  for (;;) {
    const { clock } = await state();
    if (clock.pause && clock.now_ms >= clock.pause.at_ms) break;
    await sleep(500);
  }
  const attempts = await Promise.all(pupils.map((pupil) => tryOrder(pupil, contractId)));
  const isOnScreen = await isPausedOnScreen(pupils.at(-1)!, say, contractId);
  const leaving = pupils.slice(0, countLeaving(pupils.length));
  const withdrawn = await Promise.all(leaving.map(withdrawAll));
  const { clock } = await state();
  await teacher.change("/api/operator/class/resumeClock", { ordinal: clock.pause!.ordinal });
  const { items } = await teacher.read<{ items: { what: string; leaf: number }[] }>(
    "/api/operator/getAudit",
    { what: "class.clock_paused" },
  );
  await sleep(4_000);
  return {
    leaf: items[0]?.leaf ?? -1,
    isOnScreen,
    accepted: attempts.filter((error) => error === null).length,
    refused: attempts.filter((error) => error === "class.paused").length,
    withdrawn: leaving.filter((_, index) => withdrawn[index]),
  };
}

/** The name of the error with which an order is refused; null if it is accepted. */
async function tryOrder(pupil: Pupil, contractId: string): Promise<string | null> {
  const details = await callAsPupil<{
    terms: { terms_hash: string; tiers: { seconds: number }[] };
  }>(pupil, "GET", "/api/contract/getContractDetails", { contract_id: contractId });
  const { error } = await callAsPupil(pupil, "POST", "/api/contract/contractPlaceOrder", {
    contract_id: contractId,
    terms_hash: details.data.terms.terms_hash,
    tier: 60,
    direction: "up",
    stake: "20",
  });
  return error;
}

/** Withdraws the whole balance of every coin; true if none was refused. */
async function withdrawAll(pupil: Pupil): Promise<boolean> {
  const { data } = await callAsPupil<{ items: { coin: "pUSDT"; available: string }[] }>(
    pupil,
    "GET",
    "/api/user/getWalletList",
  );
  const outcomes: (string | null)[] = [];
  for (const { coin, available } of data.items) {
    if (Number(available) === 0) continue;
    const input = { coin, amount: available, address: createAddress(coin) };
    outcomes.push((await callAsPupil(pupil, "POST", "/api/user/withdraw", input)).error);
  }
  return outcomes.length > 0 && outcomes.every((error) => error === null);
}
