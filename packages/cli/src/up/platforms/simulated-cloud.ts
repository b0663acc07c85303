import { createServer, type ServerResponse } from "node:http";
import { type SimulatedCloud, serveOnLoopback } from "./loopback-server.ts";
import { openstackRegion } from "./platform-parts.ts";

/** `cloudUrl` is where it was asked. */
type Answer = (response: ServerResponse, cloudUrl: string) => void;

const LATER = "2999-01-01T00:00:00Z";

function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** By the end of the path. Whoever asks is let in: there is nothing behind it. */
const answers: Readonly<Record<string, Answer>> = {
  // Keystone and Manila: its operator installs nothing before it has seen a share type.
  "/auth/tokens": (response, cloudUrl) => {
    const body = { token: { expires_at: LATER, catalog: catalogueOf(cloudUrl) } };
    json(201, body, { "x-subject-token": "simulated" })(response, cloudUrl);
  },
  "/share/v2/types": json(200, { share_types: [{ id: "simulated", name: "default" }] }),
  // IBM's IAM and resource manager.
  "/identity/token": json(200, { access_token: "simulated" }),
  "/v2/resource_groups": json(200, { resources: [{ id: "simulated", name: "stowage" }] }),
};

/** There is nothing in it that operators do not ask for. */
function catalogueOf(cloudUrl: string): readonly object[] {
  const share = { interface: "public", region: openstackRegion, url: `${cloudUrl}/share/v2` };
  return [{ type: "sharev2", name: "manilav2", endpoints: [share] }];
}

/** At this port, or at any when somebody else has it. */
export function startSimulatedCloud(wantedPort: number | undefined): Promise<SimulatedCloud> {
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      const { pathname } = new URL(request.url ?? "/", "http://cloud");
      const found = Object.entries(answers).find(([path]) => pathname.endsWith(path));
      (found?.[1] ?? json(404, {}))(response, `http://${request.headers.host}`);
    });
  });
  return serveOnLoopback(server, "http", wantedPort);
}
