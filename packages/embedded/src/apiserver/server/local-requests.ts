import { ApiError } from "../answers/index.ts";
import { requestInfo } from "../requests/index.ts";
import { type ApiRequest, asServed } from "../verbs/index.ts";
import { dispatch } from "./dispatch.ts";
import type { ServerParts } from "./server-parts.ts";

/** Whom the server itself acts as. */
const itself = { name: "system:apiserver", groups: ["system:masters", "system:authenticated"] };

/** Sends a request that the server makes of itself. Throws ApiErrors as clients get them. */
async function sendLocally(parts: ServerParts, line: string, body: object): Promise<void> {
  const [method = "", path = ""] = line.split(" ");
  const url = new URL(path, "https://server");
  const info = requestInfo(method, url);
  if (!info.isResource) throw new TypeError(`${line} is about no resource`);
  const request: ApiRequest = {
    info,
    query: url.searchParams,
    user: itself,
    contentType: "application/json",
    userAgent: "kube-apiserver",
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  };
  await dispatch(parts, request, asServed);
}

/** Creates it unless it is there. */
export async function createLocally(parts: ServerParts, path: string, object: object): Promise<void> {
  try {
    await sendLocally(parts, `POST ${path}`, object);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status.reason !== "AlreadyExists") throw error;
  }
}
