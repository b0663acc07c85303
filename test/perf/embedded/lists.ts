import type { ApiClient, Call } from "./api-client.ts";
import { collection } from "./config-maps.ts";
import { quantile } from "./load.ts";

const REPEATS = 5;
const CHUNK = 500;
const metadata = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
const table = "application/json;as=Table;g=meta.k8s.io;v=v1";

export interface ListTimesMs {
  readonly whole: number;
  readonly chunked: number;
  readonly metadata: number;
  readonly table: number;
}

/** How long it takes to get all objects, in the forms that clients ask for. */
export async function measureLists(client: ApiClient, objects: number): Promise<ListTimesMs> {
  const whole: Call = { path: collection };
  const asMetadata: Call = { path: collection, headers: { accept: metadata } };
  const asTable: Call = { path: collection, headers: { accept: table } };
  for (const call of [whole, asMetadata, asTable]) await checkCount(client, call, objects);
  return {
    whole: await medianMs(() => client.call(whole)),
    chunked: await medianMs(() => inChunks(client, objects)),
    metadata: await medianMs(() => client.call(asMetadata)),
    table: await medianMs(() => client.call(asTable)),
  };
}

interface Listed {
  readonly metadata: { readonly continue?: string };
  readonly items?: readonly unknown[];
  readonly rows?: readonly unknown[];
}

async function checkCount(client: ApiClient, call: Call, objects: number): Promise<void> {
  const listed = JSON.parse((await client.call(call)).toString()) as Listed;
  const count = (listed.items ?? listed.rows ?? []).length;
  if (count !== objects) throw new Error(`the list has ${count} objects, not ${objects}`);
}

async function inChunks(client: ApiClient, objects: number): Promise<void> {
  let token: string | undefined = "";
  let chunks = 0;
  while (token !== undefined) {
    const body = await client.call({ path: `${collection}?limit=${CHUNK}&continue=${encodeURIComponent(token)}` });
    token = continueToken(body);
    chunks++;
  }
  if (chunks !== Math.ceil(objects / CHUNK)) throw new Error(`the list came in ${chunks} chunks`);
}

/** Found in the beginning of the text: decoding all of it would be measured too. */
function continueToken(body: Buffer): string | undefined {
  return /"continue":"(?<token>[^"]+)"/u.exec(body.toString("latin1", 0, 1024))?.groups?.["token"];
}

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const startedMs = performance.now();
    await work();
    times.push(performance.now() - startedMs);
  }
  return quantile(times, 0.5);
}
