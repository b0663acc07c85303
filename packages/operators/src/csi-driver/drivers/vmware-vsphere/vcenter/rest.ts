import { StowageError } from "@stowage/machinery";
import type { CloudHttp, CloudRequest } from "../../../../cloud-config/index.ts";

export interface RestLogin {
  readonly user: string;
  readonly password: string;
}

export interface RestRequest {
  /** In messages: `to attach a tag`. */
  readonly what: string;
  /** After `/rest`. */
  readonly path: string;
  readonly method?: CloudRequest["method"];
  readonly body?: unknown;
}

const SESSION_PATH = "/com/vmware/cis/session";
const SESSION_HEADER = "vmware-api-session-id";

/**
 * Calls vCenter's other API, which has a session of its own. It begins with the first request. The older paths are asked: those that
 * replace them are not in every version that the driver is for.
 */
export class RestClient {
  readonly #http: CloudHttp;
  readonly #url: string;
  readonly #login: RestLogin;
  #session: Promise<string> | undefined;

  constructor(http: CloudHttp, url: string, login: RestLogin) {
    this.#http = http;
    this.#url = url;
    this.#login = login;
  }

  /** What is answered; undefined when there is nothing by that id. Of a refusal only its kind is told. */
  async find(request: RestRequest, signal: AbortSignal): Promise<unknown> {
    this.#session ??= this.#logIn(signal);
    const headers = { [SESSION_HEADER]: await this.#session };
    const { status, body } = await this.#send(request, headers, signal);
    if (status === 404) return undefined;
    if (status < 200 || status > 299) throw this.#refused(request, status, body);
    return fieldOf(body, "value") ?? null;
  }

  async logout(signal: AbortSignal): Promise<void> {
    if (this.#session === undefined) return;
    await this.find({ what: "to end a session", path: SESSION_PATH, method: "DELETE" }, signal);
    this.#session = undefined;
  }

  async #logIn(signal: AbortSignal): Promise<string> {
    const { user, password } = this.#login;
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
    const request = { what: "to begin a session", path: SESSION_PATH, method: "POST" } as const;
    const { status, body } = await this.#send(request, { authorization }, signal);
    const session = fieldOf(body, "value");
    if (status !== 200 || typeof session !== "string") throw this.#refused(request, status, body);
    return session;
  }

  #send({ what, path, method = "GET", body }: RestRequest, headers: Record<string, string>, signal: AbortSignal) {
    const url = new URL(`/rest${path}`, this.#url).href;
    return this.#http({ what, url, method, headers, ...(body !== undefined && { body }) }, signal);
  }

  #refused({ what }: RestRequest, status: number, body: unknown): StowageError {
    const kind = fieldOf(body, "type");
    const why = typeof kind === "string" ? kind.replace(/^com\.vmware\.vapi\.std\.errors\./u, "") : `HTTP ${status}`;
    return new StowageError("CLOUD_REFUSED", `vCenter ${new URL(this.#url).host} refused ${what}: ${why}`);
  }
}

function fieldOf(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null ? (body as Readonly<Record<string, unknown>>)[name] : undefined;
}
