import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { ErrorName } from "#api/errors.ts";
import * as api from "#api/operator/worlds.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { App } from "#server/platform/http/context.ts";
import { FileAnswer } from "#server/platform/http/download.ts";
import {
  operatorFileRoute,
  operatorRoute,
  preparedOperatorRoute,
} from "#server/platform/http/operatorRoute.ts";
import type { Logger } from "#server/platform/logger.ts";
import { StartError } from "#server/platform/startError.ts";
import type { AddressedWorld, WorldAdmin } from "#server/platform/worlds/admin.ts";
import {
  DirectoryError,
  type DirectoryErrorName,
  formatCode,
} from "#server/platform/worlds/directory.ts";

/**
 * Mounts the calls of `api/operator/worlds.ts`. An action runs before the transaction of its call,
 * which records it, because the directory is in another schema under another role. A client that
 * repeats an action whose answer was lost learns that it is already done.
 */
export function worldsRoutes(app: App, ctx: Pick<AppContext, "worldAdmin" | "config" | "logger">) {
  const { worldAdmin: acts, config, logger } = ctx;
  operatorRoute(app, api.getWorlds, async () => ({
    here: acts !== undefined,
    items: acts ? (await acts.list()).map(toView) : [],
  }));
  preparedOperatorRoute(app, api.createWorld, {
    prepare: ({ name, template, speed, start }) => {
      const settings = {
        ...(speed === null ? {} : { WORLD_SPEED: String(speed) }),
        ...(start === null ? {} : { WORLD_START: start }),
      };
      return runAction(acts, (worldAdmin) => worldAdmin.create({ name, template, settings }));
    },
    handler: ({ name, template, speed, start }, { prepared, audit }) => {
      audit({ what: "worlds.made", details: { world: name, template, speed, start } });
      return toView(prepared);
    },
  });
  preparedOperatorRoute(app, api.setWorldState, {
    prepare: ({ name, state }) =>
      runAction(acts, (worldAdmin) => {
        if (state === "asleep") return worldAdmin.requestSleep(name);
        return state === "awake" ? worldAdmin.wake(name) : worldAdmin.archive(name);
      }),
    handler: ({ name, state }, { audit }) => {
      audit({ what: "worlds.state_set", details: { world: name, state } });
      return {};
    },
  });
  preparedOperatorRoute(app, api.removeWorld, {
    prepare: async ({ name }) => {
      const removal = await runAction(acts, (worldAdmin) => worldAdmin.remove(name));
      // Removal waits until the world has closed. Until then the world is archived, and removal can
      // be repeated.
      removal.done.catch((error) => {
        logger.error({ err: error, world: name }, "a world was not removed; remove it again");
      });
      return removal.what;
    },
    handler: ({ name }, { prepared: what, audit }) => {
      const event = what === "remove" ? "worlds.removed" : "worlds.notice_given";
      audit({ what: event, details: { world: name } });
      return { what };
    },
  });
  operatorFileRoute(app, api.exportWorld, async ({ name }, { audit }) => {
    const file = join(config.dataDirectory, `export-${randomUUID()}.part`);
    await runAction(acts, (worldAdmin) => worldAdmin.export(name, file));
    audit({ what: "worlds.exported", details: { world: name } });
    return new FileAnswer(
      `drydock-practice-${name}.tar`,
      "application/x-tar",
      readOnce(file, logger),
    );
  });
}

/** The contents of a temporary file. */
function readOnce(path: string, logger: Logger): Readable {
  const stream = createReadStream(path);
  stream.once("close", () => {
    rm(path, { force: true }).catch((error: unknown) =>
      logger.error({ err: error }, "the file of an export was not removed"),
    );
  });
  return stream;
}

function toView(world: AddressedWorld): api.WorldView {
  const { name, code, state, port, address, madeAtMs, sleptAtMs, removeAfterMs } = world;
  const times = { made_at_ms: madeAtMs, slept_at_ms: sleptAtMs, remove_after_ms: removeAfterMs };
  return { name, code: formatCode(code), state, main: port === null, address, ...times };
}

const errorNames: Readonly<Record<DirectoryErrorName, ErrorName>> = {
  unknown: "worlds.unknown",
  is_main: "worlds.unknown",
  name_taken: "worlds.name_taken",
  full: "worlds.full",
  too_many_awake: "worlds.full",
  no_port: "worlds.full",
  already_so: "worlds.already_so",
  never_sleeps: "worlds.never_sleeps",
  notice_runs: "worlds.notice_runs",
  recording_missing: "worlds.recording_missing",
  nothing_signed: "worlds.nothing_signed",
};

/** Runs an action and maps each refusal to its error on the wire. */
async function runAction<Result>(
  acts: WorldAdmin | undefined,
  act: (acts: WorldAdmin) => Promise<Result>,
): Promise<Result> {
  if (!acts) throw new ApiError("worlds.not_here");
  try {
    return await act(acts);
  } catch (error) {
    if (error instanceof DirectoryError)
      throw new ApiError(errorNames[error.reason], { ...error.data });
    // Of these parameters only the start can be invalid on its own.
    if (error instanceof StartError) throw new ApiError("worlds.start_wrong");
    throw error;
  }
}
