import pg from "pg";
import { computeQuantile } from "../lib/quantile.ts";

/** Transactions of each kind; taken in turns, so that both meet the same load. */
const rounds = 500;

/** The cost of a notification on a database, in milliseconds, medians. */
export interface NotifyCost {
  /** A transaction that notifies, until it is committed. */
  commitMs: number;
  /** The time of the same transaction without a notification. */
  baselineMs: number;
  /** From the commit until a listener has it. */
  deliveryMs: number;
  /** Connections of Drydock that listen. */
  listeners: number;
}

/** Measures on a separate channel, to which no world listens. */
export async function measureNotify(url: string): Promise<NotifyCost> {
  const sender = new pg.Client({ connectionString: url });
  const listener = new pg.Client({ connectionString: url });
  await Promise.all([sender.connect(), listener.connect()]);
  let resolveNotification = (): void => {};
  listener.on("notification", () => resolveNotification());
  try {
    await listener.query("listen drydock_trial");
    const commitMs: number[] = [];
    const plainMs: number[] = [];
    const deliveryMs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      plainMs.push(await time(() => sender.query("select pg_current_xact_id()")));
      const delivered = new Promise<void>((resolve) => {
        resolveNotification = resolve;
      });
      commitMs.push(
        await time(() =>
          sender.query("select pg_current_xact_id(), pg_notify('drydock_trial', '')"),
        ),
      );
      deliveryMs.push(await time(() => delivered));
    }
    const { rows } = await sender.query<{ count: number }>(
      "select count(*)::integer from pg_stat_activity where application_name like 'drydock-bus%'",
    );
    const median = (values: number[]) =>
      computeQuantile(
        values.toSorted((a, b) => a - b),
        0.5,
      );
    return {
      commitMs: median(commitMs),
      baselineMs: median(plainMs),
      deliveryMs: median(deliveryMs),
      listeners: rows[0]!.count,
    };
  } finally {
    await Promise.all([sender.end(), listener.end()]);
  }
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}
