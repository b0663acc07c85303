import { create, type DescMethod, type Message, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import type { MethodDefinition } from "@grpc/grpc-js";
import { type Clock, type Logger, silentLogger } from "@stowage/machinery";
import {
  CsiError,
  type GrpcCode,
  maskSecrets,
  methodPath,
  redact,
  secretValues,
  toCsiError,
} from "../protocol/index.ts";
import type { Connection } from "./connection.ts";
import type { CallObserver } from "./observed-call.ts";
import { encodeRequest } from "./request-encoding.ts";

export interface CallOptions {
  readonly timeoutMs?: number;
  /** When it aborts, the call fails with CANCELLED. The driver may be at work all the same. */
  readonly signal?: AbortSignal;
}

export interface CallDeps {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timeoutMs: number;
  readonly observers: readonly CallObserver[];
  readonly beforeCall?: () => void;
  driverName(): string | undefined;
}

export interface CsiMethod<Method extends DescMethod> {
  readonly schema: Method;
  readonly definition: MethodDefinition<MessageShape<Method["input"]>, MessageShape<Method["output"]>>;
}

/** One call: sent, observed, logged without secrets. Whatever goes wrong is a CsiError. */
export async function callMethod<Method extends DescMethod>(
  deps: CallDeps,
  method: CsiMethod<Method>,
  init: MessageInitShape<Method["input"]>,
  options: CallOptions = {},
): Promise<MessageShape<Method["output"]>> {
  deps.beforeCall?.();
  const startedMs = deps.clock.monotonicMs();
  const request: Message = create<Method["input"]>(method.schema.input, init);
  let response: MessageShape<Method["output"]>;
  try {
    response = await send(deps, method, { request, options });
  } catch (error) {
    const failure = withoutSecrets(toCsiError(error), method.schema, request);
    observe(deps, method.schema, { code: failure.grpcCode, startedMs });
    deps.logger.debug({ method: failure.method, code: failure.grpcCode, details: failure.details }, "CSI call failed");
    throw failure;
  }
  observe(deps, method.schema, { code: "OK", startedMs });
  logMessage(deps.logger, method.schema, { response });
  return response;
}

async function send<Method extends DescMethod>(
  deps: CallDeps,
  method: CsiMethod<Method>,
  { request, options }: { request: Message; options: CallOptions },
): Promise<MessageShape<Method["output"]>> {
  const bytes = encodeRequest(method.schema.input, request);
  // Only after it could be encoded: until then it may hold anything.
  logMessage(deps.logger, method.schema, { request });
  return deps.connection.send(method.definition, bytes, {
    timeoutMs: options.timeoutMs ?? deps.timeoutMs,
    signal: options.signal,
  });
}

/** A driver may quote in its error what it was sent. */
function withoutSecrets(error: CsiError, method: DescMethod, request: Message): CsiError {
  const details = maskSecrets(error.details, secretValues(method.input, request));
  return new CsiError(error.grpcCode, details, { method: methodPath(method), cause: error.cause });
}

function observe(deps: CallDeps, method: DescMethod, { code, startedMs }: { code: GrpcCode; startedMs: number }): void {
  const durationMs = deps.clock.monotonicMs() - startedMs;
  const call = { method: methodPath(method), code, durationMs, driverName: deps.driverName() };
  for (const observer of deps.observers) observer(call);
}

function logMessage(logger: Logger, method: DescMethod, message: { request: Message } | { response: Message }): void {
  // Copying messages for nobody is not free.
  if (logger === silentLogger) return;
  if ("request" in message) {
    logger.debug({ method: methodPath(method), request: redact(method.input, message.request) }, "CSI call");
  } else {
    logger.debug({ method: methodPath(method), response: redact(method.output, message.response) }, "CSI answer");
  }
}
