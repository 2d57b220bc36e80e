import type { ComponentType } from "react";

const chunkMs = 120_000;

/** A screen's code failed to load, or took over 120 s. The error boundary then offers a reload. */
export class ChunkError extends Error {
  constructor(error: unknown) {
    super("chunk failed to load", { cause: error });
    this.name = "ChunkError";
  }
}

/** A screen; its `ready`, if any, loads what its first view needs besides. */
type Screen = ComponentType & { ready?: () => Promise<unknown> };

/** Loads a screen's module. */
export type Load = () => Promise<{ default: Screen }>;

/** Rejects with a ChunkError when `load` fails or takes over 120 s. */
export async function loadWithTimeout<Module>(
  load: () => Promise<Module>,
  limitMs = chunkMs,
): Promise<Module> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`timed out after ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([load(), timeout]);
  } catch (error) {
    throw new ChunkError(error);
  } finally {
    clearTimeout(timer);
  }
}
