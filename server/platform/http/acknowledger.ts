import type { SignedAcknowledgement } from "#core/transparency-log/acknowledgement.ts";

/** The accepted call, as its acknowledgement states it (docs/formats/acknowledgement.md). */
export interface AcceptedCall {
  call: string;
  /** The client's UUIDv7, in lower case. */
  key: string;
  bodyHash: Uint8Array;
  /** The journal's id. */
  id: string;
  /** Hex; null when no `second` leaf binds it. */
  hash: string | null;
  /** World time. */
  acceptedAtMs: number;
  /** Size of a signed tree from before it was accepted. */
  treeSize: number;
}

/** The transparency log's service to the routes of money calls. */
export interface Acknowledger {
  /** Throws `server.unavailable` when nothing can be acknowledged: nothing may be accepted then. */
  requireReady(): void;
  /** The signed promise; its text is the same for the same facts. */
  acknowledge(acceptedCall: AcceptedCall): Promise<SignedAcknowledgement>;
}
