import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A cloud that has Manila: Keystone and Manila as far as the operator asks them. Whether it asks them rightly is judged by the real ones,
 * in `manila-operator.test.ts`; those would keep all other platforms waiting.
 */
export interface ShareCloud extends AsyncDisposable {
  readonly cloudsText: string;
}

const TOKEN = "token-1";

export async function startShareCloud(shareTypes: readonly string[]): Promise<ShareCloud> {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const { url } = request;
    if (url === "/identity/v3/auth/tokens") {
      const endpoints = [{ interface: "public", region: "RegionOne", url: `${origin()}/share/v2` }];
      const token = { expires_at: "2999-01-01T00:00:00Z", catalog: [{ type: "sharev2", endpoints }] };
      return response.writeHead(201, { "x-subject-token": TOKEN }).end(JSON.stringify({ token }));
    }
    if (request.headers["x-auth-token"] !== TOKEN) return response.writeHead(401).end();
    if (url !== "/share/v2/types") return response.writeHead(404).end();
    return response.end(JSON.stringify({ share_types: shareTypes.map((name) => ({ name })) }));
  };
  const server = createServer((request, response) => {
    request.resume().once("end", () => answer(request, response));
  });
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const auth = { auth_url: `${origin()}/identity`, username: "shift", password: "any", project_name: "shift" };
  return {
    // A file of YAML may as well be JSON.
    cloudsText: JSON.stringify({ clouds: { openstack: { region_name: "RegionOne", auth } } }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
