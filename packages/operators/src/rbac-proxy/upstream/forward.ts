import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Clock, Logger } from "@stowage/machinery";
import { refuse } from "../refusal.ts";
import type { Upstream, UpstreamExchange, UpstreamRequest, UpstreamResponse } from "./upstream.ts";

export interface ForwardDeps {
  readonly upstream: Upstream;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** From the request to the head of its answer; the rest of the answer may take as long as it likes. */
const RESPONSE_TIMEOUT_MS = 5 * 60_000;

/** A request of a client, with the connection that waits for its answer. */
export interface ClientExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Aborted when nobody waits any more: the answer is complete, or the client has hung up. */
  readonly closed: AbortSignal;
}

/** Passes a request on and its answer back, at the pace of the slower side. */
export async function forward(deps: ForwardDeps, client: ClientExchange, outgoing: UpstreamRequest): Promise<void> {
  const { request, response, closed } = client;
  if (closed.aborted) return;
  const exchange = deps.upstream.open(outgoing);
  closed.addEventListener("abort", () => exchange.abort(), { once: true });
  request.pipe(exchange.body);
  const answer = await answerOf(deps, exchange, client);
  if (answer === undefined) return;
  response.writeHead(answer.status, answer.headers);
  // Not with the first of the body: a stream may say nothing for long.
  response.flushHeaders();
  answer.body.once("end", () => addTrailers(response, answer));
  try {
    await pipeline(answer.body, response);
  } catch (error) {
    // Both sides are closed by now: who waits for the rest finds out.
    deps.logger.debug({ upstream: deps.upstream.url, error }, "an answer was cut off");
  }
}

function addTrailers(response: ServerResponse, answer: UpstreamResponse): void {
  try {
    response.addTrailers(answer.trailers());
  } catch {
    // Characters that have no place in a header: the answer is complete without them.
  }
}

async function answerOf(
  { upstream, clock, logger }: ForwardDeps,
  exchange: UpstreamExchange,
  { response, closed }: ClientExchange,
): Promise<UpstreamResponse | undefined> {
  const waiting = new AbortController();
  const tooLate = clock.sleep(RESPONSE_TIMEOUT_MS, waiting.signal).then(() => "too late" as const);
  tooLate.catch(() => {}); // Not waited for any more.
  try {
    const answer = await Promise.race([exchange.response, tooLate]);
    if (answer !== "too late") return answer;
    exchange.response.catch(() => {});
    exchange.abort();
    refuse(response, 504, "the upstream did not answer in time");
  } catch (error) {
    if (closed.aborted) return undefined;
    logger.error({ upstream: upstream.url, error: String(error) }, "the upstream cannot be reached");
    refuse(response, 502, "the upstream cannot be reached");
  } finally {
    waiting.abort();
  }
  return undefined;
}
