import type { Socket } from "node:net";
import { hasErrorCode, StowageError } from "@stowage/machinery";
import type { ProxyConfig } from "../config/index.ts";
import { addressOf, openTcp, openTls, orDestroy, type TlsMaterial } from "./connect.ts";
import { openHttpTunnel } from "./http-tunnel.ts";
import { openSocks5Tunnel } from "./socks5-tunnel.ts";
import { trustContext } from "./trust.ts";

/** The way to the server. */
export interface Route {
  readonly server: URL;
  readonly proxy?: ProxyConfig;
  /** Absent for a server that speaks plain HTTP. */
  readonly tls?: TlsMaterial;
}

/** A connection that is ready for a request. Fails with a StowageError, or the signal's reason. */
export async function openRoute({ server, proxy, tls }: Route, signal: AbortSignal): Promise<Socket> {
  const address = addressOf(server);
  const socket =
    proxy === undefined ? await openTcp(address, server.origin, signal) : await openProxy(proxy, server, signal);
  return tls === undefined ? socket : openTls(socket, { host: address.host, name: server.origin, tls }, signal);
}

/** For a plain HTTP server, an HTTP proxy makes no tunnel: it gets the request with the whole URL, and passes it on. */
export function isForwarding(server: URL, proxy: ProxyConfig | undefined): boolean {
  return proxy !== undefined && server.protocol === "http:" && /^https?:/.test(proxy.url);
}

async function openProxy(proxy: ProxyConfig, server: URL, signal: AbortSignal): Promise<Socket> {
  const url = new URL(proxy.url);
  try {
    const socket = await openToProxy(url, signal);
    if (!isForwarding(server, proxy)) {
      const openTunnel = url.protocol.startsWith("socks5") ? openSocks5Tunnel : openHttpTunnel;
      await orDestroy(socket, () => openTunnel(socket, url, addressOf(server), signal));
    }
    return socket;
  } catch (error) {
    throw error === signal.reason ? error : proxyFailed(error, proxy, server);
  }
}

async function openToProxy(url: URL, signal: AbortSignal): Promise<Socket> {
  const name = nameOf(url);
  const address = addressOf(url);
  const socket = await openTcp(address, name, signal);
  if (url.protocol !== "https:") {
    return socket;
  }
  return openTls(socket, { host: address.host, name, tls: { context: trustContext(), verify: true } }, signal);
}

function proxyFailed(error: unknown, proxy: ProxyConfig, server: URL): StowageError {
  const why = (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
  const message = `${server.origin}: the proxy ${nameOf(new URL(proxy.url))}, set by ${proxy.origin}, failed: ${why}.`;
  const isTlsTrouble = hasErrorCode(error, "SERVER_CERTIFICATE_UNTRUSTED");
  const nextStep = isTlsTrouble
    ? "Add the authority of the proxy's certificate to those that this machine trusts."
    : undefined;
  return new StowageError("PROXY_FAILED", message, { cause: error, nextStep });
}

/** Without the user and password. */
function nameOf(url: URL): string {
  return `${url.protocol}//${url.host}`;
}
