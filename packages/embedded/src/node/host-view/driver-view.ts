import type { CsiClient } from "@stowage/csi";

type NodeService = CsiClient["node"];

const pathFields = ["targetPath", "stagingTargetPath", "volumePath"] as const;

/** The client of a driver that sees the node's folder under another name: paths in requests to it are put in its words. */
export function driverInPod(client: CsiClient, inPods: (path: string) => string): CsiClient {
  type Request = Partial<Record<(typeof pathFields)[number], unknown>>;
  type Calls = Readonly<Record<string, (request: Request, options?: object) => Promise<unknown>>>;
  const calls = Object.entries(client.node as unknown as Calls).map(([name, call]) => [
    name,
    (request: Request, options?: object) => call(translated(request), options),
  ]);
  const translated = (request: Request): Request => ({
    ...request,
    ...Object.fromEntries(
      pathFields.flatMap((field) => {
        const path = request[field];
        return typeof path === "string" && path !== "" ? [[field, inPods(path)]] : [];
      }),
    ),
  });
  const node = Object.fromEntries(calls) as unknown as NodeService;
  return Object.create(client, { node: { value: node, enumerable: true } }) as CsiClient;
}
