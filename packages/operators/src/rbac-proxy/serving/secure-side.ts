import type { Clock, Logger } from "@stowage/machinery";
import type { RbacProxySettings } from "../proxy-settings.ts";
import { refuse } from "../refusal.ts";
import { parseListenAddress } from "./listen-address.ts";
import { type Listener, type RequestListener, startTlsListener } from "./listener.ts";
import { createTlsSource, secureContextOptions, type TlsMaterial } from "./tls-material.ts";
import { tlsOptions } from "./tls-options.ts";
import { followTlsFiles } from "./tls-rotation.ts";

export interface SecureSideDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface SecureSide {
  readonly url: string;
  readonly endpointsUrl?: string;
  /** Serves with what the files are replaced by, until stopped. */
  followFiles(signal: AbortSignal): Promise<void>;
}

/** What listens with TLS: the proxy, and its own endpoints if it is to have them. What has been started is in `started`, also on failure. */
export async function startSecureSide(
  deps: SecureSideDeps,
  { secureListenAddress, proxyEndpointsPort, tls, http2 }: RbacProxySettings,
  { onRequest, started }: { readonly onRequest: RequestListener; readonly started: Listener[] },
): Promise<SecureSide | undefined> {
  if (secureListenAddress === undefined) return undefined;
  const address = parseListenAddress("--secure-listen-address", secureListenAddress);
  const options = tlsOptions(tls.minVersion, tls.cipherSuites);
  const read = createTlsSource(tls);
  const initial = await read();
  const contextOf = (material: TlsMaterial) => secureContextOptions(material, options);
  const listenerTls = { context: contextOf(initial), asksForCertificates: tls.clientCaFile !== undefined, http2 };
  const start = async (port: number, handler: RequestListener) => {
    const place = { address: { ...address, port }, tls: listenerTls, onRequest: handler };
    const listener = await startTlsListener(deps.clock, place);
    started.push(listener);
    return listener;
  };
  const proxy = await start(address.port, onRequest);
  const endpoints = proxyEndpointsPort === undefined ? undefined : await start(proxyEndpointsPort, ownEndpoints);
  const onChange = (now: TlsMaterial, before: TlsMaterial) => {
    for (const listener of [proxy, endpoints]) listener?.replaceContext(contextOf(now), now.ca !== before.ca);
  };
  const rotation = { read, everyMs: tls.reloadIntervalMs, initial, onChange };
  const hasFiles = tls.certificateFile !== undefined || tls.clientCaFile !== undefined;
  return {
    url: proxy.url,
    endpointsUrl: endpoints?.url,
    followFiles: (signal) => (hasFiles ? followTlsFiles(deps, rotation, signal) : Promise.resolve()),
  };
}

const ownEndpoints: RequestListener = (request, response) => {
  const path = request.url?.replace(/\?.*$/, "");
  if (path === "/healthz") response.writeHead(200, { "content-type": "text/plain" }).end("ok");
  else refuse(response, 404, "404 page not found");
};
