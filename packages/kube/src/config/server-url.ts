import { StowageError } from "@stowage/machinery";
import type { ProxyConfig } from "./connection-config.ts";

/** Understands `server` of a cluster. Without a scheme it is https when the entry speaks of TLS, else http, as in client-go. */
export function parseServerUrl(server: string, where: string, speaksOfTls: boolean): URL {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(server);
  const url = URL.parse(hasScheme ? server : `${speaksOfTls ? "https" : "http"}://${server}`);
  if (url === null || url.hostname === "" || !["http:", "https:"].includes(url.protocol)) {
    throw new StowageError("KUBECONFIG_INVALID", `${where}: server is not an http or https URL.`, {
      nextStep: "Write it as https://host:port, with a base path if the API has one.",
    });
  }
  if (url.username !== "" || url.password !== "") {
    throw new StowageError("KUBECONFIG_INVALID", `${where}: server holds a user name or password.`, {
      nextStep: "Move the credentials to username and password of the user entry.",
    });
  }
  return url;
}

/** The form that requests put their paths after. */
export function serverBase(url: URL): string {
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

export function checkedProxy(proxy: ProxyConfig | undefined): ProxyConfig | undefined {
  if (proxy === undefined) {
    return undefined;
  }
  const url = URL.parse(proxy.url);
  if (url === null || url.hostname === "" || !["http:", "https:", "socks5:", "socks5h:"].includes(url.protocol)) {
    throw new StowageError(
      "KUBECONFIG_PROXY_INVALID",
      `${proxy.origin} is not the URL of an http, https or socks5 proxy.`,
    );
  }
  return proxy;
}
