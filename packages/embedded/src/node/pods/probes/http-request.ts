import type { Container, HTTPGetAction, HTTPHeader } from "@stowage/machinery";
import { containerPort } from "./container-port.ts";
import { hostAndPort } from "./network-failure.ts";

export interface HttpRequest {
  readonly url: string;
  /** In order; a name may be there more than once. */
  readonly headers: readonly HTTPHeader[];
}

/** What a probe (`purpose` `probe`) or a hook (`lifecycle`) asks for at a host. */
export function desiredHttpRequest(
  action: HTTPGetAction,
  container: Container,
  { host, purpose }: { readonly host: string; readonly purpose: "probe" | "lifecycle" },
): HttpRequest {
  const scheme = (action.scheme ?? "HTTP").toLowerCase();
  const address = hostAndPort(host, containerPort(action.port, container));
  return { url: `${scheme}://${address}${targetOf(action.path ?? "")}`, headers: headersOf(action, purpose) };
}

/** The path and the query; characters that may not be there as they are become percent signs and numbers. */
function targetOf(path: string): string {
  const [beforeFragment = ""] = path.split("#", 1);
  const rooted = beforeFragment === "" || beforeFragment.startsWith("/") ? beforeFragment : `/${beforeFragment}`;
  return rooted.replaceAll(/[^\w\-.~!$&'()*+,;=:@/?%]/gu, (character) => encodeURIComponent(character));
}

function headersOf({ httpHeaders = [] }: HTTPGetAction, purpose: string): HTTPHeader[] {
  const named = (wanted: string) => httpHeaders.filter(({ name }) => name.toLowerCase() === wanted);
  return [
    ...(named("user-agent").length > 0 ? [] : [{ name: "User-Agent", value: `kube-${purpose}/1.36` }]),
    ...(named("accept").length > 0 ? [] : [{ name: "Accept", value: "*/*" }]),
    // Whoever gives these two without a value wants none to be sent.
    ...httpHeaders.filter(({ name, value }) => value !== "" || !/^(user-agent|accept)$/i.test(name)),
  ];
}
