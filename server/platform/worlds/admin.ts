import type { WorldEntry } from "#server/platform/worlds/directory.ts";

/** A world to be created. */
interface WorldRequest {
  name: string;
  /** One of `worldTemplates`; null: the program's own defaults. */
  template: string | null;
  /** Settings that differ from the template's, by their names. */
  settings: Readonly<Record<string, string>>;
}

/** A world of the directory with the address that people open. */
export interface AddressedWorld extends WorldEntry {
  address: string;
}

/** A requested removal: first the notice, then the removal itself. */
export interface Removal {
  what: "give_notice" | "remove";
  /** True if the world has been removed. */
  done: Promise<void>;
}

/**
 * Administration of the worlds of a directory: by the command line and at the console of the main
 * world, which share these methods. Each throws a DirectoryError and changes nothing if it is
 * refused.
 */
export interface WorldAdmin {
  list(): Promise<AddressedWorld[]>;
  create(world: WorldRequest): Promise<AddressedWorld>;
  /** Asks the running program to put the world to sleep; it stays awake if a person is in it. */
  requestSleep(name: string): Promise<void>;
  wake(name: string): Promise<void>;
  archive(name: string): Promise<void>;
  remove(name: string): Promise<Removal>;
  /** Writes everything that a world published to `file`, which must not exist. */
  export(name: string, file: string): Promise<ExportedWorld>;
}

interface ExportedWorld {
  vkey: string;
  size: number;
  publications: number;
  bytes: number;
}
