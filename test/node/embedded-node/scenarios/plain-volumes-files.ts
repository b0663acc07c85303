import { configMaps, pods, secrets, type Volume } from "@stowage/machinery";
import {
  container,
  createPod,
  runOnce,
  saying,
  serving,
  untilContainer,
  untilReady,
  untilTold,
} from "../pod-objects.ts";
import type { Scenario, Scene } from "../scenario.ts";

const compares = [pods];
const events = ["Pod"];
const volumeMounts = [{ name: "files", mountPath: "/files" }];
/** Links with what they lead to, folders and files with who may do what. The folder that holds the files is called by its time. */
const listing =
  "cd /files; for f in * .*; do [ -e $f ] && case $f in ..2*|..) ;; *) stat -c '%N %A %u %g' $f | sed 's/\\.\\.20[A-Za-z0-9_.]*/<time>/';; esac; done";
const showing = (more = "true") => [saying(`${listing}; cd /files; ${more}`, { volumeMounts })];

async function makeSources(scene: Scene): Promise<void> {
  await scene.create(configMaps, {
    metadata: { name: "map" },
    data: { one: "first", two: "second" },
    binaryData: { raw: "AAEC" },
  });
  await scene.create(secrets, { metadata: { name: "hidden" }, stringData: { word: "open sesame", key: "k" } });
}

const shown = (name: string, source: Partial<Volume>, more?: string): Scenario => ({
  name,
  compares,
  events,
  async run(scene) {
    await makeSources(scene);
    await runOnce(scene, { volumes: [{ name: "files", ...source }], containers: showing(more) });
  },
});

export const filesOfObjects: Scenario[] = [
  shown("all of a map", { configMap: { name: "map" } }, "cat one two; stat -L -c '%n %a %s' one two raw"),
  shown("all of a secret", { secret: { secretName: "hidden" } }, "cat word; stat -L -c '%n %a %s' word key"),
  shown(
    "some keys of a map, under other names, with modes",
    {
      configMap: {
        name: "map",
        defaultMode: 0o640,
        items: [
          { key: "one", path: "deep/er/uno" },
          { key: "two", path: "dos", mode: 0o400 },
        ],
      },
    },
    "cat deep/er/uno dos; stat -L -c '%n %a' deep deep/er deep/er/uno dos",
  ),
  shown("a map that need not be there", { configMap: { name: "none", optional: true } }),
  shown("a key that need not be there", {
    secret: {
      secretName: "hidden",
      optional: true,
      items: [
        { key: "none", path: "x" },
        { key: "key", path: "y" },
      ],
    },
  }),
  shown(
    "what is said of the Pod",
    {
      downwardAPI: {
        items: [
          { path: "name", fieldRef: { fieldPath: "metadata.name" } },
          { path: "labels", fieldRef: { fieldPath: "metadata.labels" } },
          { path: "cpu", resourceFieldRef: { containerName: "main", resource: "requests.cpu", divisor: "1m" } },
          { path: "sub/namespace", mode: 0o600, fieldRef: { fieldPath: "metadata.namespace" } },
        ],
      },
    },
    "cat name labels cpu sub/namespace; stat -L -c '%n %a' name sub/namespace",
  ),
  shown(
    "several sources in one folder",
    {
      projected: {
        defaultMode: 0o444,
        sources: [
          { configMap: { name: "map", items: [{ key: "one", path: "a/one" }] } },
          { secret: { name: "hidden", items: [{ key: "word", path: "a/word", mode: 0o400 }] } },
          { downwardAPI: { items: [{ path: "name", fieldRef: { fieldPath: "metadata.name" } }] } },
          { configMap: { name: "none", optional: true } },
        ],
      },
    },
    "cat a/one a/word name; stat -L -c '%n %a' a a/one a/word name",
  ),
  {
    name: "files have the Pod's group",
    compares,
    async run(scene) {
      await makeSources(scene);
      await runOnce(scene, {
        securityContext: { fsGroup: 12004, runAsUser: 12001 },
        volumes: [{ name: "files", secret: { secretName: "hidden", defaultMode: 0o400 } }],
        containers: [
          saying(`${listing}; stat -L -c '%n %a %u %g' /files /files/word; cat /files/word`, { volumeMounts }),
        ],
      });
    },
  },
];

const token = (more = {}) => ({
  projected: {
    sources: [{ serviceAccountToken: { path: "token", audience: "vault", expirationSeconds: 600, ...more } }],
  },
});

export const tokens: Scenario[] = [
  {
    name: "a token is a file of the user's own",
    compares,
    async run(scene) {
      await runOnce(scene, {
        securityContext: { runAsUser: 12001 },
        volumes: [{ name: "files", ...token() }],
        containers: [saying("stat -L -c '%n %a %u %g' /files/token; grep -c . /files/token", { volumeMounts })],
      });
    },
  },
  {
    name: "a token with a group",
    compares,
    async run(scene) {
      await runOnce(scene, {
        securityContext: { runAsUser: 12001, fsGroup: 12004 },
        volumes: [{ name: "files", ...token() }],
        containers: [saying("stat -L -c '%n %a %u %g' /files/token", { volumeMounts })],
      });
    },
  },
  {
    name: "a token of a Pod whose containers are of several users",
    compares,
    async run(scene) {
      await runOnce(scene, {
        volumes: [{ name: "files", ...token() }],
        containers: [
          saying("stat -L -c '%n %a %u %g' /files/token", { volumeMounts, securityContext: { runAsUser: 12001 } }),
          saying("stat -L -c '%n %a %u %g' /files/token", {
            name: "other",
            volumeMounts,
            securityContext: { runAsUser: 12002 },
          }),
        ],
      });
    },
  },
  {
    name: "the account's own files",
    compares,
    run: (scene) =>
      runOnce(scene, {
        containers: [
          saying(
            "cd /var/run/secrets/kubernetes.io/serviceaccount; stat -L -c '%n %a %u %g' ca.crt namespace token; cat namespace",
          ),
        ],
      }),
  },
  {
    name: "no account's files where they are not wanted",
    compares,
    run: (scene) =>
      runOnce(scene, {
        automountServiceAccountToken: false,
        containers: [saying("ls /var/run/secrets/kubernetes.io")],
      }),
  },
];

export const missing: Scenario[] = [
  {
    name: "a map that is not there",
    compares,
    events,
    eventCounts: false,
    async run(scene) {
      await createPod(scene, {
        volumes: [{ name: "files", configMap: { name: "none" } }],
        containers: [container("exit 0", { volumeMounts })],
      });
      await untilTold(scene, "FailedMount");
    },
  },
  {
    name: "a key that is not there",
    compares,
    events,
    eventCounts: false,
    async run(scene) {
      await makeSources(scene);
      await createPod(scene, {
        volumes: [{ name: "files", secret: { secretName: "hidden", items: [{ key: "none", path: "x" }] } }],
        containers: [container("exit 0", { volumeMounts })],
      });
      await untilTold(scene, "FailedMount");
    },
  },
  {
    name: "a secret in a folder of several sources is not there",
    compares,
    events,
    eventCounts: false,
    async run(scene) {
      await createPod(scene, {
        volumes: [{ name: "files", projected: { sources: [{ secret: { name: "none" } }] } }],
        containers: [container("exit 0", { volumeMounts })],
      });
      await untilTold(scene, "FailedMount");
    },
  },
  {
    name: "a map that comes later",
    compares,
    async run(scene) {
      await createPod(scene, {
        restartPolicy: "Never",
        volumes: [{ name: "files", configMap: { name: "map" } }],
        containers: [saying("cat /files/one", { volumeMounts })],
      });
      await untilTold(scene, "FailedMount");
      await makeSources(scene);
      await untilContainer(scene, ({ state }) => state?.terminated !== undefined);
    },
  },
];

/** Says what it sees when it is no longer what it was. */
const untilChanged = (file: string, was: string) =>
  saying(`until [ "$(cat ${file})" != "${was}" ]; do sleep 0.2; done; cat ${file}; ls /files`, { volumeMounts });

export const changes: Scenario[] = [
  {
    name: "a map that changes is seen in a container that runs",
    compares,
    async run(scene) {
      await makeSources(scene);
      await createPod(scene, {
        restartPolicy: "Never",
        volumes: [{ name: "files", configMap: { name: "map" } }],
        containers: [untilChanged("/files/one", "first")],
      });
      await untilContainer(scene, ({ state }) => state?.running !== undefined);
      await scene.patch(configMaps, "map", { data: { one: "changed", three: "new", two: null } });
      await scene.patch(pods, "user", { metadata: { annotations: { look: "again" } } });
      await untilContainer(scene, ({ state }) => state?.terminated !== undefined);
    },
  },
  {
    name: "annotations that change are seen in a container that runs",
    compares,
    async run(scene) {
      await createPod(
        scene,
        {
          restartPolicy: "Never",
          volumes: [
            {
              name: "files",
              downwardAPI: { items: [{ path: "l", fieldRef: { fieldPath: "metadata.annotations['a']" } }] },
            },
          ],
          containers: [untilChanged("/files/l", "1")],
        },
        { annotations: { a: "1" } },
      );
      await untilContainer(scene, ({ state }) => state?.running !== undefined);
      await scene.patch(pods, "user", { metadata: { annotations: { a: 'say "x"' } } });
      await untilContainer(scene, ({ state }) => state?.terminated !== undefined);
    },
  },
  {
    name: "a key that is mounted alone does not change",
    compares,
    async run(scene) {
      await makeSources(scene);
      await createPod(scene, {
        restartPolicy: "Never",
        volumes: [{ name: "files", configMap: { name: "map" } }],
        containers: [
          saying('until [ "$(cat /files/one)" != first ]; do sleep 0.2; done; cat /files/one /alone', {
            volumeMounts: [...volumeMounts, { name: "files", mountPath: "/alone", subPath: "one" }],
          }),
        ],
      });
      await untilContainer(scene, ({ state }) => state?.running !== undefined);
      await scene.patch(configMaps, "map", { data: { one: "changed" } });
      await scene.patch(pods, "user", { metadata: { annotations: { look: "again" } } });
      await untilContainer(scene, ({ state }) => state?.terminated !== undefined);
    },
  },
  {
    name: "a Pod with files that runs",
    compares,
    events,
    async run(scene) {
      await makeSources(scene);
      await createPod(scene, {
        volumes: [{ name: "files", configMap: { name: "map" } }],
        containers: [container(serving, { volumeMounts })],
      });
      await untilReady(scene);
    },
  },
];
