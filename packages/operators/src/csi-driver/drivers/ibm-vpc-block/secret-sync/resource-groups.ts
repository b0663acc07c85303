import { StowageError } from "@stowage/machinery";
import type { CloudAnswer, CloudHttp } from "../../../../cloud-config/index.ts";
import type { CloudConf } from "./cloud-conf.ts";

/** The seam to the cloud: the id of the group that volumes are made in. */
export type FindResourceGroup = (conf: CloudConf, apiKey: string, signal: AbortSignal) => Promise<string>;

/** Asks the cloud by its API. Neither key nor token gets into a message. */
export function resourceGroupFinder(http: CloudHttp): FindResourceGroup {
  return async (conf, apiKey, signal) => {
    const authorization = `Bearer ${await tokenOf(http, { conf, apiKey }, signal)}`;
    const { accountId, resourceGroupName: name, resourceManagerEndpoint } = conf;
    const query = new URLSearchParams({ account_id: accountId, name });
    const url = `${resourceManagerEndpoint}/v2/resource_groups?${query.toString()}`;
    const answer = await http({ what: "for a resource group", url, headers: { authorization } }, signal);
    const { resources = [] } = accepted(answer, url) as { resources?: readonly { name?: string; id?: string }[] };
    const id = resources.find((each) => each.name === name)?.id;
    if (id) return id;
    throw new StowageError(
      "CLOUD_REFUSED",
      `account ${accountId} of IBM Cloud shows no resource group ${JSON.stringify(name)}`,
      {
        nextStep:
          "Look at g2ResourceGroupName in the cloud's configuration, and whether the API key may see the group.",
      },
    );
  };
}

async function tokenOf(
  http: CloudHttp,
  { conf, apiKey }: { readonly conf: CloudConf; readonly apiKey: string },
  signal: AbortSignal,
): Promise<string> {
  const url = `${conf.iamEndpoint}/identity/token`;
  const form = { grant_type: "urn:ibm:params:oauth:grant-type:apikey", apikey: apiKey };
  const answer = await http({ what: "for a token", url, method: "POST", form }, signal);
  const { access_token: token } = accepted(answer, url) as { access_token?: string };
  if (token) return token;
  throw new StowageError("CLOUD_REFUSED", `${new URL(url).host} answered without a token`);
}

function accepted({ status, body }: CloudAnswer, url: string): object {
  if (status === 200 && typeof body === "object" && body !== null) return body;
  const { host, pathname } = new URL(url);
  throw new StowageError("CLOUD_REFUSED", `${host} answered ${pathname} with status ${status}`);
}
