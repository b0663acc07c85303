import { request as plainRequest } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createAuthority, issueCertificate } from "@stowage/machinery/certificates";

/** TLS before services that speak none, as clouds have it: by an authority that nobody else knows. */
export interface TlsFront extends AsyncDisposable {
  /** In PEM. */
  readonly authority: string;
  /** Opens a door to a service of the loopback, and says where: the same path at an address of ours. */
  before(url: string): Promise<string>;
}

export function tlsFront(): TlsFront {
  const validity = { fromMs: Date.now() - 60_000, untilMs: Date.now() + 3_600_000 };
  const authority = createAuthority("the cloud's own", validity);
  const pair = issueCertificate(authority, { commonName: "cloud", names: ["127.0.0.1"], usages: ["server"], validity });
  const servers: ReturnType<typeof createServer>[] = [];
  return {
    authority: authority.certificate,
    async before(url) {
      const { host, pathname } = new URL(url);
      const server = createServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
        const { method, headers, url: path } = request;
        const forwarded = plainRequest(`http://${host}${path}`, { method, headers: { ...headers, host } }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        });
        forwarded.on("error", () => response.destroy());
        request.pipe(forwarded);
      });
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return `https://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`;
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}
