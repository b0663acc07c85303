import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** IBM's IAM and resource manager, as far as the operator asks them: for one key, and one group of one account. */
export interface IbmCloud extends AsyncDisposable {
  readonly endpoint: string;
  /** Paths, in the order in which they were asked for. */
  readonly asked: string[];
  apiKey: string;
}

export async function startIbmCloud(apiKey: string): Promise<IbmCloud> {
  const asked: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://x");
    asked.push(pathname);
    const send = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body));
    const form = new URLSearchParams(await text(request));
    if (pathname === "/identity/token") {
      return form.get("apikey") === cloud.apiKey ? send(200, { access_token: "token-1" }) : send(400, {});
    }
    if (request.headers.authorization !== "Bearer token-1") return send(401, {});
    const isOurs = searchParams.get("account_id") === "acc" && searchParams.get("name") === "shop";
    return send(200, { resources: isOurs ? [{ id: "group-1", name: "shop" }] : [] });
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cloud: IbmCloud = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    apiKey,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return cloud;
}
