import { BlockList, isIP, isIPv6 } from "node:net";
import type { ProxyConfig } from "./connection-config.ts";
import type { Environment } from "./kubeconfig-paths.ts";

/** The proxy that the environment asks for, by the rules of Go's HTTP client, which kubectl users know. */
export function environmentProxy(server: URL, env: Environment): ProxyConfig | undefined {
  const names = server.protocol === "https:" ? ["HTTPS_PROXY", "https_proxy"] : ["HTTP_PROXY", "http_proxy"];
  const origin = names.find((name) => (env[name] ?? "") !== "");
  const noProxy = env["NO_PROXY"] || env["no_proxy"] || "";
  if (origin === undefined || bypassesProxy(server, noProxy)) {
    return undefined;
  }
  const url = env[origin] ?? "";
  return { url: url.includes("://") ? url : `http://${url}`, origin };
}

/** True when NO_PROXY covers the server: `*`, an address, a CIDR, a domain with its subdomains, each with a port if wanted. */
export function bypassesProxy(server: URL, noProxy: string): boolean {
  const host = bareHost(server.hostname).toLowerCase();
  const port = server.port || (server.protocol === "https:" ? "443" : "80");
  if (host === "localhost" || isLoopback(host)) {
    return true;
  }
  return noProxy
    .split(",")
    .map((rule) => rule.trim().toLowerCase())
    .filter((rule) => rule !== "")
    .some((rule) => rule === "*" || (rule.includes("/") ? matchesCidr(host, rule) : matchesHost(host, port, rule)));
}

function matchesHost(host: string, port: string, rule: string): boolean {
  const { ruleHost, rulePort } = splitPort(rule);
  if (rulePort !== undefined && rulePort !== port) {
    return false;
  }
  if (isIP(ruleHost) !== 0) {
    return host === bareHost(new URL(`http://${isIPv6(ruleHost) ? `[${ruleHost}]` : ruleHost}`).hostname);
  }
  const domain = ruleHost.startsWith("*.") ? ruleHost.slice(1) : ruleHost;
  return domain.startsWith(".") ? host.endsWith(domain) : host === domain || host.endsWith(`.${domain}`);
}

function splitPort(rule: string): { ruleHost: string; rulePort?: string } {
  if (isIPv6(rule)) {
    return { ruleHost: rule };
  }
  const match = /^(?<host>.+):(?<port>\d+)$/.exec(rule);
  const ruleHost = bareHost(match?.groups?.["host"] ?? rule);
  return match?.groups?.["port"] === undefined ? { ruleHost } : { ruleHost, rulePort: match.groups["port"] };
}

function matchesCidr(host: string, rule: string): boolean {
  const [network = "", prefix = ""] = rule.split("/");
  const family = isIP(network);
  const bits = Number(prefix);
  if (family === 0 || isIP(host) !== family || !/^\d+$/.test(prefix) || bits > (family === 4 ? 32 : 128)) {
    return false;
  }
  const block = new BlockList();
  block.addSubnet(network, bits, family === 4 ? "ipv4" : "ipv6");
  return block.check(host, family === 4 ? "ipv4" : "ipv6");
}

function isLoopback(host: string): boolean {
  return host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}
