import type { Bus } from "#server/platform/bus/bus.ts";
import type { RealClock, WorldClock } from "#server/platform/clock/clock.ts";
import type { Config } from "#server/platform/config/config.ts";
import type { FieldEncryption } from "#server/platform/crypto/fieldEncryption.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { HealthCheck } from "#server/platform/health.ts";
import type { Messages } from "#server/platform/http/language.ts";
import type { NetworkLimits } from "#server/platform/http/limits/requestLimits.ts";
import type { Jobs } from "#server/platform/jobs.ts";
import type { Logger } from "#server/platform/logger.ts";
import type { SecurityLog } from "#server/platform/securityLog.ts";
import type { World } from "#server/platform/world.ts";
import type { WorldAdmin } from "#server/platform/worlds/admin.ts";

export type { World };

/** The context that every domain receives. */
export interface AppContext {
  config: Config;
  world: World;
  /** Connected as the restricted role. */
  database: Database;
  /** World time. */
  clock: WorldClock;
  realClock: RealClock;
  /** Checks that the clocks that real time is derived from agree. */
  clockHealth: HealthCheck;
  bus: Bus;
  /** Text that people typed is written to the database only in encrypted form. */
  fieldEncryption: FieldEncryption;
  jobs: Jobs;
  /** Sentences the server itself produces, in every language. */
  messages: Messages;
  logger: Logger;
  securityLog: SecurityLog;
  /** The limits that the worlds of a process share; by default, limits of this world alone. */
  networkLimits?: NetworkLimits;
  /** Only in the main world of a program that serves several. */
  worldAdmin?: WorldAdmin;
}
