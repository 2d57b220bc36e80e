import type { APIResponse, BrowserContext } from "playwright";
import type { AnswerOf } from "#api/call.ts";
import type { getClassTasks } from "#api/classes.ts";
import { newKey } from "#server/testing/client.ts";

/** One pupil: a separate browser, with a practice wallet in it. */
export interface Pupil {
  context: BrowserContext;
  /** The number of their code. */
  number: number;
  orderIds: string[];
  /** True if the question of who sent them was shown, which is for invited people only. */
  isAskedWhoSent: boolean;
}

/** The outcome of a call: its data, or the name of its error. */
export interface Answer<Data> {
  error: string | null;
  data: Data;
}

async function answerOf<Data>(response: APIResponse): Promise<Answer<Data>> {
  const { code, error, data } = (await response.json()) as {
    code: number;
    error?: string;
    data: Data;
  };
  return { error: code === 1 ? null : (error ?? "unknown"), data };
}

/** A call with the pupil's own session. */
export async function callAsPupil<Data>(
  { context }: Pick<Pupil, "context">,
  method: "GET" | "POST",
  path: string,
  input: Readonly<Record<string, unknown>> = {},
): Promise<Answer<Data>> {
  if (method === "GET") {
    const query = new URLSearchParams(
      Object.entries(input).map(([key, value]) => [key, String(value)]),
    );
    return answerOf(await context.request.get(`${path}?${query}`));
  }
  const headers = { "idempotency-key": newKey(), "content-type": "application/json" };
  return answerOf(await context.request.post(path, { headers, data: input }));
}

/** The duration of orders: fifteen seconds of real time at speed 60. */
export const orderSeconds = 900;

/**
 * Places an order with the session of the pupil's browser and says how sure they are. Throws with
 * the name of the error if either is refused.
 */
export async function placeOrder(
  pupil: Pupil,
  contractId: string,
  confidence: number,
): Promise<void> {
  const { data: details } = await callAsPupil<{ terms: { terms_hash: string } }>(
    pupil,
    "GET",
    "/api/contract/getContractDetails",
    { contract_id: contractId },
  );
  const { error, data } = await callAsPupil<{ order_id: string }>(
    pupil,
    "POST",
    "/api/contract/contractPlaceOrder",
    {
      contract_id: contractId,
      terms_hash: details.terms.terms_hash,
      tier: orderSeconds,
      direction: getDirection(confidence),
      stake: "20",
    },
  );
  if (error !== null) throw new Error(`An order was refused: ${error}`);
  pupil.orderIds.push(data.order_id);
  const belief = { kind: "order", order_id: data.order_id, confidence };
  const answer = await callAsPupil(pupil, "POST", "/api/belief/stateBelief", belief);
  if (answer.error !== null) throw new Error(`A belief was refused: ${answer.error}`);
}

/** Some pupils order up and some down. */
export const getDirection = (confidence: number) => (confidence % 2 === 0 ? "up" : "down");

/**
 * A pupil's own class as the server reports it: their number, and each task with whether it is
 * done.
 */
export async function readOwnClass(
  pupil: Pupil,
): Promise<NonNullable<AnswerOf<typeof getClassTasks>["class"]>> {
  const { data } = await callAsPupil<AnswerOf<typeof getClassTasks>>(
    pupil,
    "GET",
    "/api/class/getTasks",
  );
  if (data.class === null) throw new Error(`The pupil of code ${pupil.number} is in no class.`);
  return data.class;
}
