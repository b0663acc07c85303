import { type Clock, StowageError } from "@stowage/machinery";
import type { CloudAnswer, CloudHttp, CloudRequest } from "../cloud-config/index.ts";
import type { CloudAccess, CloudCredentials } from "./clouds-file.ts";

export interface KeystoneDeps {
  readonly http: CloudHttp;
  readonly clock: Pick<Clock, "nowMs">;
}

/** Keystone, and every other service of its cloud by the token that it gives. */
export interface Keystone {
  /** Fails with CLOUD_SERVICE_MISSING when the cloud's catalogue has no service of these types. */
  endpointOf(types: readonly string[], signal: AbortSignal): Promise<string>;
  /** What a service answers to a GET; a token that it no longer takes is renewed once. */
  get(request: Omit<CloudRequest, "method" | "body">, signal: AbortSignal): Promise<unknown>;
  /** The same for any request and any answer: the caller looks at its status. */
  send(request: CloudRequest, signal: AbortSignal): Promise<CloudAnswer>;
}

/** Before it ends: a request may take its time. */
const RENEWED_BEFORE_MS = 60_000;
const UNAUTHORIZED = 401;

export function createKeystone(deps: KeystoneDeps, access: CloudAccess): Keystone {
  return new TokenKeystone(deps, access);
}

interface Session {
  readonly token: string;
  readonly endsAtMs: number;
  readonly catalogue: readonly CatalogueService[];
}

interface CatalogueService {
  readonly type?: string;
  readonly endpoints?: readonly { readonly interface?: string; readonly region?: string; readonly url?: string }[];
}

class TokenKeystone implements Keystone {
  readonly #deps: KeystoneDeps;
  readonly #access: CloudAccess;
  #session: Session | undefined;

  constructor(deps: KeystoneDeps, access: CloudAccess) {
    this.#deps = deps;
    this.#access = access;
  }

  async endpointOf(types: readonly string[], signal: AbortSignal): Promise<string> {
    const { region, endpointInterface } = this.#access;
    const known = this.#session;
    const found = this.#findEndpoint(types, await this.#current(signal));
    if (found !== undefined) return found;
    // The catalogue comes with the token, and is as old: the service may have been added since.
    if (this.#session === known) {
      this.#session = undefined;
      const added = this.#findEndpoint(types, await this.#current(signal));
      if (added !== undefined) return added;
    }
    const where = region === undefined ? "" : ` in the region ${region}`;
    throw new StowageError(
      "CLOUD_SERVICE_MISSING",
      `the cloud's catalogue has no ${endpointInterface} endpoint of type ${types.join(" or ")}${where}`,
    );
  }

  #findEndpoint(types: readonly string[], { catalogue }: Session): string | undefined {
    const { region, endpointInterface } = this.#access;
    const endpoints = types.flatMap((type) => catalogue.filter((each) => each.type === type)).flatMap(endpointsOf);
    const isWanted = (each: (typeof endpoints)[number]) =>
      each.interface === endpointInterface && (region === undefined || each.region === region);
    return endpoints.find(isWanted)?.url?.replace(/\/+$/u, "");
  }

  async get(request: Omit<CloudRequest, "method" | "body">, signal: AbortSignal): Promise<unknown> {
    const { status, body } = await this.send(request, signal);
    if (status !== 200) throw refused(request, status);
    return body;
  }

  async send(request: CloudRequest, signal: AbortSignal): Promise<CloudAnswer> {
    for (let isSecond = false; ; isSecond = true) {
      const { token } = await this.#current(signal);
      const headers = { ...request.headers, "x-auth-token": token };
      const answer = await this.#deps.http({ ...request, headers }, signal);
      if (answer.status !== UNAUTHORIZED || isSecond) return answer;
      this.#session = undefined;
    }
  }

  async #current(signal: AbortSignal): Promise<Session> {
    const nowMs = this.#deps.clock.nowMs();
    if (this.#session !== undefined && this.#session.endsAtMs - RENEWED_BEFORE_MS > nowMs) return this.#session;
    this.#session = await this.#authenticate(signal);
    return this.#session;
  }

  async #authenticate(signal: AbortSignal): Promise<Session> {
    const { authUrl, credentials } = this.#access;
    const request = { what: "for a token", url: `${authUrl}/auth/tokens`, method: "POST" } as const;
    const { status, headers, body } = await this.#deps.http({ ...request, body: tokenRequest(credentials) }, signal);
    const token = headers["x-subject-token"];
    if (status !== 201 || typeof token !== "string") throw refused(request, status);
    const { token: found } = body as { token?: { expires_at?: string; catalog?: readonly CatalogueService[] } };
    const endsAtMs = Date.parse(found?.expires_at ?? "");
    return { token, endsAtMs: Number.isNaN(endsAtMs) ? 0 : endsAtMs, catalogue: found?.catalog ?? [] };
  }
}

function endpointsOf({ endpoints = [] }: CatalogueService) {
  return endpoints;
}

/** Exported for tests: what each kind of credentials is sent as. */
export function tokenRequest(credentials: CloudCredentials): object {
  const { method } = credentials;
  if (method === "password") {
    const { user, project } = credentials;
    const identity = { methods: [method], password: { user } };
    return { auth: { identity, ...(project !== undefined && { scope: { project } }) } };
  }
  const { credential, user } = credentials;
  // It has its project in it: to name one besides is refused.
  const own = { ...credential, ...(user !== undefined && { user }) };
  return { auth: { identity: { methods: [method], [method]: own } } };
}

/** By its number alone: what a server says of a request may repeat it. */
function refused({ what, url }: CloudRequest, status: number): StowageError {
  const { host } = new URL(url);
  const nextStep =
    status === UNAUTHORIZED ? "Correct the credentials of the cloud; they are read again when they change." : undefined;
  return new StowageError("CLOUD_REFUSED", `${host} was asked ${what}, and answered with HTTP ${status}`, { nextStep });
}
