import { type FieldError, forbidden, invalid } from "@stowage/machinery/structural";
import { badRequest } from "../../answers/index.ts";
import type { ApiAnswer, ApiRequest } from "../../verbs/index.ts";
import { checkFields, unexpected } from "../../verbs/writes/write-errors.ts";
import { flag, wholeNumber } from "../../verbs/writes/write-options.ts";
import type { LogOptions } from "../node-agents.ts";
import { parentTarget } from "../parent-target.ts";
import type { SubresourceDeps } from "../subresource-deps.ts";
import { agentContainer, checkPlaced } from "./agent-container.ts";

/** `pods/NAME/log`: what a container has written. Of a Pod that is on no node yet, nothing. */
export async function readLog(deps: SubresourceDeps, request: ApiRequest): Promise<ApiAnswer> {
  const target = parentTarget(deps, request);
  const { query, info, signal } = request;
  const options = logOptions(query);
  checkFields({ group: "", kind: "PodLogOptions", name: info.name ?? "" }, optionErrors(options, query));
  const container = agentContainer(target, query.get("container") ?? "");
  if (container.node === "") return { code: 204, body: "" };
  checkPlaced(target, container);
  if (deps.agents === undefined) throw unexpected(`no agent answers on node ${JSON.stringify(container.node)}`);
  const body = await begun(deps.agents.log(container, options, signal));
  return { code: 200, body, contentType: "text/plain" };
}

function logOptions(query: URLSearchParams): LogOptions {
  return {
    follow: flag(query, "follow") ?? false,
    previous: flag(query, "previous") ?? false,
    timestamps: flag(query, "timestamps") ?? false,
    sinceSeconds: wholeNumber(query, "sinceSeconds"),
    sinceTime: query.get("sinceTime") ?? undefined,
    tailLines: wholeNumber(query, "tailLines"),
    limitBytes: wholeNumber(query, "limitBytes"),
  };
}

function optionErrors({ tailLines, limitBytes, sinceSeconds, sinceTime }: LogOptions, query: URLSearchParams) {
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0) {
    errors.push(invalid("tailLines", tailLines, "must be greater than or equal to 0"));
  }
  if (limitBytes !== undefined && limitBytes < 1) {
    errors.push(invalid("limitBytes", limitBytes, "must be greater than 0"));
  }
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    errors.push(forbidden("[]", "at most one of `sinceTime` or `sinceSeconds` may be specified"));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    errors.push(invalid("sinceSeconds", sinceSeconds, "must be greater than 0"));
  }
  if (query.has("stream")) errors.push(forbidden("stream", "may not be specified"));
  return errors;
}

/** Waits for the first part, so that an agent that cannot is told about by the answer's code. */
async function begun(log: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const parts = log[Symbol.asyncIterator]();
  let first: IteratorResult<Uint8Array> | undefined;
  try {
    first = await parts.next();
  } catch (error) {
    // Whatever it is, kubelet says that it was asked for something that cannot be.
    throw badRequest(error instanceof Error ? error.message : "the agent could not read the log");
  }
  return (async function* () {
    try {
      for (let part = first; part.done !== true; part = await parts.next()) yield part.value;
    } finally {
      await parts.return?.();
    }
  })();
}
