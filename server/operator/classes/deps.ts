import type { Bodies } from "#api/operator/publishing.ts";
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
    /** False if they already were. */
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
