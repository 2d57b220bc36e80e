import * as z from "zod/mini";
import { type Call, changesSomething, requiresIdempotencyKey } from "#api/call.ts";
import { commonErrors, type ErrorName, errors } from "#api/errors.ts";
import { locales } from "#core/locales.ts";
import { permissions } from "#core/operator/permissions.ts";

type Json = Record<string, unknown>;

/**
 * The OpenAPI 3.1 description of every call, generated from the schemas the server validates with.
 */
export function describeApi(calls: readonly Call[], version: string, cookie: string): Json {
  const paths: Record<string, Json> = {};
  for (const call of calls) {
    paths[call.path] = { ...paths[call.path], [call.method.toLowerCase()]: operation(call) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Drydock",
      version,
      description:
        "A practice platform: every coin is a practice coin, no real money exists here. Answers are {code, msg, data}; code 1 is success, code 0 a refusal with a stable error name.",
      license: { name: "AGPL-3.0-or-later", identifier: "AGPL-3.0-or-later" },
    },
    paths,
    components: {
      securitySchemes: {
        cookie: { type: "apiKey", in: "cookie", name: cookie },
        token: { type: "apiKey", in: "header", name: "token" },
      },
    },
  };
}

function createSchema(schema: z.ZodMiniType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Json;
  return rest;
}

const file = { type: "string", format: "binary" };

function operation(call: Call): Json {
  const input = createSchema(call.input, "input");
  return {
    operationId: call.path.slice("/api/".length).replaceAll("/", "_"),
    summary: call.summary,
    parameters: [...headers(call), ...(call.method === "GET" ? toQuery(input) : [])],
    ...(call.method === "POST"
      ? {
          requestBody: { content: toBody(call, input) },
        }
      : {}),
    responses: {
      "200": {
        description: "Done",
        content: call.file
          ? Object.fromEntries(call.file.map((type) => [type, { schema: file }]))
          : { "application/json": { schema: envelope(call) } },
      },
      ...refusals(call),
    },
    security: call.access !== "public" ? [{ cookie: [] }, { token: [] }] : [],
  };
}

function toBody({ upload }: Call, input: Json): Json {
  if (!upload) {
    return {
      "application/json": { schema: input },
      "application/x-www-form-urlencoded": { schema: input },
    };
  }
  const response = {
    ...file,
    description: `At most ${upload.maxBytes} bytes of ${upload.types.join(", ")}`,
  };
  const properties = { ...(input.properties as Json), [upload.field]: response };
  return {
    "multipart/form-data": {
      schema: { ...input, properties, required: Object.keys(properties) },
      encoding: { [upload.field]: { contentType: upload.types.join(", ") } },
    },
  };
}

function headers(call: Call): Json[] {
  const language = {
    name: "language",
    in: "header",
    required: false,
    schema: { type: "string", enum: locales },
  };
  if (!requiresIdempotencyKey(call)) return [language];
  const key = {
    name: "Idempotency-Key",
    in: "header",
    required: true,
    schema: { type: "string", format: "uuid" },
  };
  return [language, key];
}

function toQuery(input: Json): Json[] {
  const required = (input.required ?? []) as string[];
  return Object.entries((input.properties ?? {}) as Record<string, Json>).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

function envelope(call: Call): Json {
  const data = createSchema(call.answer, "output");
  const acknowledgement = {
    type: "object",
    description: "A signed promise, see docs/formats/acknowledgement.md",
  };
  return {
    type: "object",
    required: ["code", "msg", "data"],
    properties: {
      code: { const: 1 },
      msg: { type: "string" },
      data,
      ...(call.money ? { acknowledgement } : {}),
    },
  };
}

/** The errors implied by who may make a call. */
function impliedErrors(call: Call): ErrorName[] {
  if (call.access === "public") return [];
  if (call.access === "user") return ["session.required"];
  const { permission } = call;
  const requirement: ErrorName[] = ["session.required", "operator.required"];
  if (permission) requirement.push("operator.not_permitted");
  if (permission && changesSomething(call)) {
    requirement.push("operator.factor_required");
    if (permissions[permission].elevated) requirement.push("operator.raise_required");
  }
  return requirement;
}

/** One response per status, listing the errors that carry it. */
function refusals(call: Call): Record<string, Json> {
  const names = [...new Set<ErrorName>([...call.errors, ...impliedErrors(call), ...commonErrors])];
  const byStatus = Map.groupBy(names, (name) => errors[name].status);
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([status], [other]) => status - other)
      .map(([status, those]) => [
        String(status),
        {
          description: `Refused: ${those.join(", ")}`,
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["code", "error", "msg", "data"],
                properties: {
                  code: { const: 0 },
                  error: { enum: those },
                  msg: { type: "string" },
                  data: { type: ["object", "null"] },
                },
              },
            },
          },
        },
      ]),
  );
}
