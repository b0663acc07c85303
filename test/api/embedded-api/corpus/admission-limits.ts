import { container, needing, soon } from "../admission-builders.ts";
import { claim, claims, create, type Fields, get, mergePatch, patch, pod, pods, rows } from "../builders.ts";
import type { Sequence } from "../sequence.ts";

const ranges = "/api/v1/namespaces/{ns}/limitranges";

const range = (name: string, ...limits: Fields[]) =>
  create(ranges, { apiVersion: "v1", kind: "LimitRange", metadata: { name }, spec: { limits } });
const isRanged = (answer: { metadata?: { annotations?: Record<string, string> } }) =>
  answer.metadata?.annotations?.["kubernetes.io/limit-ranger"] !== undefined;
const ofContainer = (limits: Fields) => range("r", { type: "Container", ...limits });
const defaults = { default: { cpu: "200m" }, defaultRequest: { cpu: "100m" } };
/** Waits until the server knows of the limits; the answer is the same however often it is asked. */
const refusedSoon = (resources: Fields, more: Fields = {}) =>
  soon(create(pods, pod("a", {}, needing(resources, more))), 403);

export const limitSequences: readonly Sequence[] = [
  ...rows("limits of containers", {
    "are set": [ofContainer(defaults), soon(create(pods, pod("a"), "?dryRun=All"), isRanged), create(pods, pod("a"))],
    "are set where they are not": [
      ofContainer({ default: { memory: "1Gi", cpu: "1" }, defaultRequest: { memory: "100Mi", cpu: "100m" } }),
      soon(create(pods, pod("a"), "?dryRun=All"), isRanged),
      create(
        pods,
        pod(
          "a",
          {},
          {
            containers: [
              container("x", { resources: { limits: { cpu: "2" } } }),
              container("y", {
                resources: { requests: { memory: "1Mi", cpu: "1m" }, limits: { memory: "2Mi", cpu: "2m" } },
              }),
            ],
            initContainers: [container("w")],
          },
        ),
      ),
    ],
    "come from the defaults of the limits": [
      ofContainer({ max: { cpu: "1" } }),
      get(`${ranges}/r`),
      soon(create(pods, pod("a"), "?dryRun=All"), isRanged),
      create(pods, pod("a")),
    ],
    "are at least": [
      ofContainer({ min: { cpu: "100m" } }),
      refusedSoon({ requests: { cpu: "50m" }, limits: { cpu: "1" } }),
    ],
    "are at least, of limits": [
      ofContainer({ min: { memory: "100Mi" } }),
      refusedSoon({ requests: { memory: "10Mi" }, limits: { memory: "50Mi" } }),
    ],
    "are at most": [ofContainer({ max: { cpu: "1" } }), refusedSoon({ limits: { cpu: "2" } })],
    "are at most, of containers that run first": [
      ofContainer({ max: { cpu: "1" } }),
      refusedSoon(
        { limits: { cpu: "1" } },
        { initContainers: [container("w", { resources: { limits: { cpu: "3" } } })] },
      ),
    ],
    "are so far apart": [
      ofContainer({ maxLimitRequestRatio: { cpu: "2" } }),
      refusedSoon({ requests: { cpu: "100m" }, limits: { cpu: "500m" } }),
    ],
    "are apart and known": [ofContainer({ maxLimitRequestRatio: { memory: "2" } }), refusedSoon({})],
    "are apart and limited": [
      ofContainer({ maxLimitRequestRatio: { memory: "2" } }),
      refusedSoon({ requests: { memory: "1Mi" } }),
    ],
    "are the same in an update": [
      create(pods, pod("a", {}, needing({ limits: { cpu: "2" } }))),
      ofContainer({ max: { cpu: "1" } }),
      refusedSoon({ limits: { cpu: "4" } }),
      patch(`${pods}/a`, mergePatch, { metadata: { labels: { a: "b" } } }),
    ],
  }),
  ...rows("limits of Pods", {
    "are at most": [range("r", { type: "Pod", max: { cpu: "1" } }), refusedSoon({ limits: { cpu: "2" } })],
    "are at most, together": [
      range("r", { type: "Pod", max: { cpu: "1" } }),
      soon(
        create(
          pods,
          pod(
            "a",
            {},
            {
              containers: [
                container("x", { resources: { limits: { cpu: "600m" } } }),
                container("y", { resources: { limits: { cpu: "600m" } } }),
              ],
            },
          ),
        ),
        403,
      ),
    ],
    "are at most, with those that run first": [
      range("r", { type: "Pod", max: { cpu: "1" } }),
      refusedSoon(
        { limits: { cpu: "500m" } },
        { initContainers: [container("w", { resources: { limits: { cpu: "2" } } })] },
      ),
    ],
    "are at most, with those that stay": [
      range("r", { type: "Pod", max: { cpu: "1" } }),
      refusedSoon(
        { limits: { cpu: "600m" } },
        { initContainers: [container("w", { restartPolicy: "Always", resources: { limits: { cpu: "600m" } } })] },
      ),
    ],
    "are at least": [range("r", { type: "Pod", min: { memory: "1Gi" } }), refusedSoon({ requests: { memory: "1Mi" } })],
    "are known": [range("r", { type: "Pod", max: { cpu: "1" } }), refusedSoon({})],
    "are known to be asked for": [range("r", { type: "Pod", min: { cpu: "1" } }), refusedSoon({})],
  }),
  ...rows("limits of claims", {
    "are at least": [
      range("r", { type: "PersistentVolumeClaim", min: { storage: "2Gi" } }),
      soon(create(claims, claim("a")), 403),
    ],
    "are at most": [
      range("r", { type: "PersistentVolumeClaim", max: { storage: "1Mi" } }),
      soon(create(claims, claim("a")), 403),
    ],
    "are met": [
      range("r", { type: "PersistentVolumeClaim", min: { storage: "1Mi" }, max: { storage: "1Gi" } }),
      create(claims, claim("a")),
    ],
    "are those of an update": [
      create(claims, claim("a")),
      range("r", { type: "PersistentVolumeClaim", max: { storage: "1Mi" } }),
      soon(create(claims, claim("b")), 403),
      patch(`${claims}/a`, mergePatch, { metadata: { labels: { a: "b" } } }),
    ],
  }),
];
