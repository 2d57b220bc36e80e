import type { CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyInstance } from "fastify";
import type { Locale } from "#core/locales.ts";
import type { SignedAcknowledgement } from "#core/transparency-log/acknowledgement.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Acknowledger } from "#server/platform/http/acknowledger.ts";
import type { Messages, MessageValues } from "#server/platform/http/language.ts";
import type { RequestLimits } from "#server/platform/http/limits/requestLimits.ts";
import type { OperatorHttpDeps } from "#server/platform/http/operator.ts";
import type { Session } from "#server/platform/http/session.ts";

/** A handler's information about the request besides its input. */
export interface Context<SessionType extends Session | null = Session | null> {
  requestId: string;
  language: Locale;
  session: SessionType;
  /** Network address, for rate limits only: never stored, and logged as its network at most. */
  ip: string;
  userAgent: string;
  /** True if a browser's page made the request. */
  fromBrowser: boolean;
  /** The `Host` the client used, known to be one of ours. */
  host: string;
  /** The scheme under which the client knows us. */
  protocol: "http" | "https";
  /** The raw `Idempotency-Key` header; null without one. */
  idempotencyKey: string | null;
  /** Adds the signed acknowledgement of a money call to its answer. */
  acknowledge(acknowledgement: SignedAcknowledgement): void;
  /** Sets the answer's `msg` to the text of a key in the request's language. */
  message(key: string, values?: MessageValues): void;
  /** A null value deletes the cookie. */
  setCookie(name: string, value: string | null, options?: CookieSerializeOptions): void;
  /**
   * Makes the browser clear its cache for this host. Neither "storage", which would delete the key
   * of a practice wallet, nor "cookies", which would delete those of every program at this domain.
   */
  clearCache(): void;
}

/** The state that the HTTP layer carries from the creation of the app to its routes. */
export interface HttpPlatform {
  ctx: Pick<AppContext, "config" | "realClock" | "logger" | "securityLog">;
  messages: Messages;
  limits: RequestLimits;
  /** Set by the module that mounts operator calls. */
  operators: OperatorHttpDeps | null;
  /** Set by the transparency log; without it, money calls are answered without a promise. */
  acknowledger: Acknowledger | null;
}

declare module "fastify" {
  interface FastifyInstance {
    platform: HttpPlatform;
  }
  interface FastifyRequest {
    language: Locale;
    /** Undefined until it has been looked up. */
    session: Session | null | undefined;
  }
}

export type App = FastifyInstance;
