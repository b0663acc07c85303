import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { rbacProxyOptions, rbacProxyProblem } from "./rbac-proxy-options.ts";

export const rbacProxyCommand = defineCommand({
  name: "rbac-proxy",
  summary: "let those pass to a server who have the right in the cluster",
  details:
    "Stands before the metrics of a container: asks the API server who is asking and whether they may, and passes the request on if " +
    "so. Takes the place of kube-rbac-proxy: a Deployment written for it works with only the image changed, but for sign-in by " +
    "OpenID Connect, which it leaves to the API server.",
  options: rbacProxyOptions,
  async run(context, options) {
    const problem = rbacProxyProblem(options);
    if (problem !== undefined) {
      context.terminal.err(`stowage rbac-proxy: ${problem}\n`);
      return exitCodes.usage;
    }
    const { runRbacProxy } = await import("./rbac-proxy-process.ts");
    await runRbacProxy(context, options);
    return exitCodes.success;
  },
});
