import type { Bodies } from "#api/operator/publishing.ts";
import type { ClassTask } from "#core/classes/tasks.ts";
import type { SignUpState } from "#core/session/signUp.ts";
import type { Tx } from "#server/platform/db/database.ts";

export interface ClassLinkState {
  classId: string;
  code: string;
  label: string | null;
  createdAtMs: number;
  expiresAtMs: number;
  closedAtMs: number | null;
  limit: number;
  joined: number;
  finished: number;
}

/** A class's dependencies on other domains. */
export interface ClassDeps {
  invites: {
    classes: {
      listClassLinks(): Promise<ClassLinkState[]>;
      createClassLink(
        params: { label: string; byOperator: string; expiresAtMs: number; limit: number },
        tx: Tx,
      ): Promise<ClassLinkState>;
      closeClassLink(classId: string, tx: Tx): Promise<boolean>;
    };
  };
  contracts: {
    isEnabled(): Promise<boolean>;
    /** False if nothing changed. */
    setEnabled(tx: Tx, on: boolean): Promise<boolean>;
  };
  session: {
    signUp: {
      read(tx?: Tx): Promise<SignUpState>;
      write(tx: Tx, state: SignUpState): Promise<void>;
    };
  };
  publishing: {
    notices: {
      /** Publishes a notice now, under the rules for all notices; throws `publishing.*`. */
      announce(tx: Tx, notice: { id: string; body: Bodies["notice"]; by: string }): Promise<void>;
    };
  };
}

/** An open class. */
interface OpenClass {
  classId: string;
  expiresAtMs: number;
  limit: number;
  byUserId: string;
  labelEncrypted: Buffer;
}

export interface RoomLook {
  lookId: string;
  classId: string;
  endsAtMs: number;
}

/** Codes, tasks, room views and backups of classes (server/classes), as the console uses them. */
export interface ClassRoomDeps {
  requireOpen: (classId: string, tx?: Tx) => Promise<OpenClass>;
  labelOf: (open: OpenClass) => Promise<string | null>;
  placesLeft: (open: OpenClass) => Promise<number>;
  codes: {
    make(tx: Tx, classId: string, count: number): Promise<number>;
    list(open: OpenClass): Promise<{ number: number; code: string | null; isUsed: boolean }[]>;
  };
  tasks: {
    of(classId: string): Promise<ClassTask[]>;
    choose(tx: Tx, classId: string, chosen: readonly ClassTask[]): Promise<ClassTask[]>;
    done(
      classId: string,
      tasks: readonly ClassTask[],
      userIds: readonly string[],
    ): Promise<ReadonlyMap<string, ClassTask[]>>;
  };
  looks: {
    open(
      tx: Tx,
      classId: string,
      operatorId: string,
    ): Promise<{ look: RoomLook; userIds: string[] }>;
    require(lookId: string, operatorId: string): Promise<RoomLook>;
    unnotified(look: RoomLook): Promise<string[]>;
    recordNotified(look: RoomLook, userId: string): Promise<void>;
    notified(look: RoomLook): Promise<ReadonlyMap<number, string>>;
    members(classId: string): Promise<ReadonlyMap<number, string>>;
  };
  backups: {
    unlock(
      tx: Tx,
      code: { classId: string; number: number },
    ): Promise<{ userId: string; unlocksLeft: number }>;
  };
}
