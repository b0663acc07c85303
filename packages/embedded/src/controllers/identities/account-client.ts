import {
  type ClientDeps,
  createClient,
  type HttpRequest,
  type HttpResponse,
  type KubeClient,
  type Transport,
} from "@stowage/kube";
import { systemClock } from "@stowage/machinery";
import { AccountTokens } from "./account-tokens.ts";

export interface AccountClientDeps extends ClientDeps {
  /** Without credentials of its own: a certificate would count more than a token. */
  readonly transport: Transport;
  /** Of whoever may make accounts and ask for their tokens. */
  readonly manager: KubeClient;
}

/** Clients by the service account that they act as. All of them share one transport. */
export function accountClients(deps: AccountClientDeps): (account: string) => KubeClient {
  const { transport, manager, clock = systemClock } = deps;
  const tokens = new AccountTokens(manager, clock);
  return (account) => createClient({ ...deps, transport: new AccountTransport(transport, tokens, account) });
}

/** Sends each request with the token of an account; with a new one when the server does not know it any more. */
class AccountTransport implements Transport {
  readonly #transport: Transport;
  readonly #tokens: AccountTokens;
  readonly #account: string;

  constructor(transport: Transport, tokens: AccountTokens, account: string) {
    this.#transport = transport;
    this.#tokens = tokens;
    this.#account = account;
  }

  get server(): string {
    return this.#transport.server;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    const response = await this.#sendOnce(request);
    if (response.status !== 401) return response;
    response.body.destroy();
    this.#tokens.forget(this.#account);
    return await this.#sendOnce(request);
  }

  /** It is not this one's to close. */
  close(): void {}

  async #sendOnce(request: HttpRequest): Promise<HttpResponse> {
    const authorization = `Bearer ${await this.#tokens.get(this.#account)}`;
    return await this.#transport.send({ ...request, headers: { ...request.headers, authorization } });
  }
}
