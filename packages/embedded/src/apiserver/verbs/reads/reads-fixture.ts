import { ManualClock } from "@stowage/machinery/testing";
import { ApiError } from "../../answers/index.ts";
import { requestInfo } from "../../requests/index.ts";
import { ResourceRegistry } from "../../resources/index.ts";
import { createStore, type StoreOptions } from "../../store/index.ts";
import { Strategies } from "../../strategies/index.ts";
import type { ApiAnswer, ApiRequest } from "../api-request.ts";
import { WatchHub } from "./watch-hub.ts";

interface KeptObject {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: object;
}

/** The inside of a server, for tests of reading: objects get into its store as writing would put them there. */
export function readingServer(options: StoreOptions = {}) {
  const store = createStore(options);
  return {
    store,
    clock: new ManualClock(),
    registry: new ResourceRegistry(),
    strategies: new Strategies(),
    hub: new WatchHub(store),
    /** Resolves with the version that it has got. */
    put: (key: string, { metadata, kind, apiVersion, ...rest }: KeptObject) =>
      store.transact((transaction) => {
        const resourceVersion = String(transaction.revision);
        const object = { kind, apiVersion, metadata: { ...metadata, resourceVersion }, ...rest };
        transaction.put(key, JSON.stringify(object));
        return transaction.revision;
      }),
    remove: (key: string) => store.transact((transaction) => transaction.delete(key)),
  };
}

export function getRequest(path: string, signal: AbortSignal = new AbortController().signal): ApiRequest {
  const url = new URL(path, "https://server.test");
  const info = requestInfo("GET", url);
  if (!info.isResource) throw new Error(`${path} is no resource`);
  const user = { name: "someone", groups: [] };
  const rest = { contentType: undefined, userAgent: undefined, body: undefined };
  return { info, query: url.searchParams, user, signal, ...rest };
}

/** The code, a line break, and the body or the message: what a client sees, for tables. */
export async function told(answer: Promise<ApiAnswer>): Promise<string> {
  try {
    const { code, body } = await answer;
    return `${code} ${typeof body === "string" ? body : "(a stream)"}`;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, reason = "-", message } = error.status;
    return `${code} ${reason}: ${message}`;
  }
}

export const pod = (name: string, rest: object = {}, labels: object = {}) => ({
  kind: "Pod",
  apiVersion: "v1",
  metadata: { name, namespace: "a", labels },
  ...rest,
});
