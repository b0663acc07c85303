import { createServer, type ServerResponse } from "node:http";
import { type SimulatedCloud, serveOnLoopback } from "./loopback-server.ts";

type Answer = (response: ServerResponse) => void;

const LATER = "2999-01-01T00:00:00Z";

function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** By the end of the path. Whoever asks is let in: there is nothing behind it. */
const answers: Readonly<Record<string, Answer>> = {
  // Keystone, of a cloud whose catalogue has nothing: Manila's operator finds no use for itself.
  "/auth/tokens": json(201, { token: { expires_at: LATER, catalog: [] } }, { "x-subject-token": "simulated" }),
  // IBM's IAM and resource manager.
  "/identity/token": json(200, { access_token: "simulated" }),
  "/v2/resource_groups": json(200, { resources: [{ id: "simulated", name: "stowage" }] }),
};

/** At this port, or at any when somebody else has it. */
export function startSimulatedCloud(wantedPort: number | undefined): Promise<SimulatedCloud> {
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      const { pathname } = new URL(request.url ?? "/", "http://cloud");
      const found = Object.entries(answers).find(([path]) => pathname.endsWith(path));
      (found?.[1] ?? json(404, {}))(response);
    });
  });
  return serveOnLoopback(server, "http", wantedPort);
}
