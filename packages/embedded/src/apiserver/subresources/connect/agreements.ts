import { SpdyConnection } from "../../../spdy/index.ts";
import { type Execution, execProtocols, runExec } from "./exec-connection.ts";
import { execStreamProtocol, runExecStreams } from "./exec-streams.ts";
import { type Forwarding, forwardPorts, forwardProtocols, runForward } from "./forward-connection.ts";
import { forwardStreamProtocol, runForwardStreams } from "./forward-streams.ts";
import { openSpdy, spdy } from "./spdy-upgrade.ts";
import type { Conversation, UpgradeSocket } from "./upgrade.ts";
import { WebSocketTunnel } from "./websocket-tunnel.ts";
import { askedProtocols, asksForWebSocket, openWebSocket } from "./websocket-upgrade.ts";

/** What kubectl asks for first: proxies that know nothing of SPDY let it through in a WebSocket. */
const tunnelProtocol = `${spdy}+${forwardStreamProtocol}`;

/** How a command is spoken about, by what the client asks for. Throws what it gets instead. */
export function agreedExec(upgrade: UpgradeSocket, execution: Execution): Conversation {
  if (asksForWebSocket(upgrade)) {
    const webSocket = openWebSocket(upgrade, execProtocols);
    return () => runExec(webSocket, execution);
  }
  const connection = openSpdy(upgrade, execStreamProtocol);
  return () => runExecStreams(connection, execution);
}

/** The same for ports. Which ones a query asks for is looked at only where streams do not say it themselves. */
export function agreedForward(upgrade: UpgradeSocket, forwarding: Forwarding, asked: readonly string[]): Conversation {
  if (!asksForWebSocket(upgrade)) {
    const connection = openSpdy(upgrade, forwardStreamProtocol);
    return () => runForwardStreams(connection, forwarding);
  }
  if (askedProtocols(upgrade).includes(tunnelProtocol)) {
    const tunnel = new WebSocketTunnel(openWebSocket(upgrade, [tunnelProtocol]));
    const connection = new SpdyConnection(tunnel, Buffer.alloc(0));
    return () => runForwardStreams(connection, forwarding);
  }
  const ports = forwardPorts(asked);
  const webSocket = openWebSocket(upgrade, forwardProtocols);
  return () => runForward(webSocket, forwarding, ports);
}
