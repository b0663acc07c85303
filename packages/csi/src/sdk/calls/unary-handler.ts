import { create, type Message } from "@bufbuild/protobuf";
import type { handleUnaryCall, sendUnaryData } from "@grpc/grpc-js";
import type { Clock, Logger } from "@stowage/machinery";
import { CsiError, methodPath, toGrpcStatus } from "../../protocol/index.ts";
import type { OperationLocks } from "../requests/operation-locks.ts";
import { findViolation } from "../requests/request-checks.ts";
import { beginCallLog, type CallLog } from "./call-log.ts";
import type { CallMetrics } from "./call-metrics.ts";
import { toFailure } from "./failure.ts";
import type { RunningCalls } from "./running-calls.ts";
import { createSecretMask } from "./secret-mask.ts";
import type { ServedMethod } from "./served-method.ts";

export interface CallDeps {
  readonly driverName: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly metrics: CallMetrics;
  readonly calls: RunningCalls;
  /** One for each service: what the controller does with a volume is no concern of the node. */
  readonly locks: OperationLocks;
  readonly nextCallId: () => number;
}

/** A driver's function as gRPC calls it. */
export function createUnaryHandler(served: ServedMethod, deps: CallDeps): handleUnaryCall<Message, Message> {
  return (call, callback) => {
    const abort = new AbortController();
    const giveUp = () => abort.abort(new CsiError("CANCELLED", "the caller gave up"));
    call.on("cancelled", giveUp);
    // Then it was told before anybody listened.
    if (call.cancelled) giveUp();
    void respond(runCall(served, call.request, { ...deps, abort }), callback);
  };
}

async function respond(answer: Promise<Message>, send: sendUnaryData<Message>): Promise<void> {
  try {
    send(null, await answer);
  } catch (failure) {
    send(toGrpcStatus(failure));
  }
}

interface RunDeps extends CallDeps {
  readonly abort: AbortController;
}

/** The outer half: logs, measures, and turns whatever happens into an answer. */
async function runCall(served: ServedMethod, request: Message, deps: RunDeps): Promise<Message> {
  const path = methodPath(served.method);
  const mask = createSecretMask(served.method.input, request);
  const startedMs = deps.clock.monotonicMs();
  const elapsedMs = () => deps.clock.monotonicMs() - startedMs;
  const endMetrics = deps.metrics.begin(path);
  const log = beginCallLog({ served, request, mask, logger: deps.logger, callId: deps.nextCallId() });
  using _running = deps.calls.begin(served.method.name, deps.abort);
  try {
    const response = await answer(served, request, { deps, log });
    endMetrics("OK", elapsedMs());
    log.succeeded(response, elapsedMs());
    return response;
  } catch (error) {
    const failure = toFailure(error, { method: served.method.name, mask, signal: deps.abort.signal });
    endMetrics(failure.grpcCode, elapsedMs());
    log.failed(failure, error, elapsedMs());
    throw failure;
  }
}

interface AnswerContext {
  readonly deps: RunDeps;
  readonly log: CallLog;
}

/** The inner half: everything that may refuse the call, then the driver. */
async function answer(served: ServedMethod, request: Message, { deps, log }: AnswerContext): Promise<Message> {
  const { method } = served;
  if (deps.calls.isStopping) throw new CsiError("UNAVAILABLE", `driver ${deps.driverName} is stopping: try again`);
  if (!served.run) throw new CsiError("UNIMPLEMENTED", `driver ${deps.driverName} does not offer ${method.name}`);
  const violation = findViolation(method.input, served.checks, request);
  if (violation) {
    const title = `${method.name}${subjectOf(served, request)}`;
    throw new CsiError(violation.code, `${title}: ${violation.field} ${violation.problem}`);
  }
  using _lock = lock(served, request, deps.locks);
  const response = await served.run(request, { signal: deps.abort.signal, logger: log.logger });
  return create(method.output, response);
}

const mostSubjectChars = 160;

/** Which volume or snapshot the request is about; cut, since it is not checked yet. */
function subjectOf({ lockSubject }: ServedMethod, request: Message): string {
  const subject = lockSubject?.(request).trim();
  return subject === undefined ? "" : ` (${subject.slice(0, mostSubjectChars)})`;
}

function lock(served: ServedMethod, request: Message, locks: OperationLocks): Disposable | undefined {
  if (!served.lockSubject) return undefined;
  const outcome = locks.tryAcquire(served.lockSubject(request), served.method.name);
  if (typeof outcome !== "string") return outcome;
  throw new CsiError("ABORTED", `${outcome}: try again when it has ended`);
}
