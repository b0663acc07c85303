import { binding, bindPath, toNode } from "../binding-builders.ts";
import { create, get, pod, pods, rows, update } from "../builders.ts";
import type { Sequence } from "../sequence.ts";

const two = {
  containers: [
    { name: "x", image: "i" },
    { name: "y", image: "i" },
  ],
  initContainers: [{ name: "w", image: "i" }],
};

const connections = ["exec", "attach", "portforward"].flatMap((part) =>
  rows(part, {
    "of a Pod that waits for a node": [
      create(pods, pod("a")),
      get(`${pods}/a/${part}?command=ls&stdout=true&ports=80`),
      create(`${pods}/a/${part}?command=ls&stdout=true`, undefined),
    ],
    "of a Pod that is not there": [get(`${pods}/none/${part}?command=ls`)],
    "of a Pod whose node is not there": [
      create(pods, pod("a")),
      create(bindPath, binding("a", toNode)),
      get(`${pods}/a/${part}?command=ls&stdout=true&ports=80`),
    ],
    "without a container's name": [create(pods, pod("a", {}, two)), get(`${pods}/a/${part}?command=ls`)],
    "of a container that is not there": [
      create(pods, pod("a", {}, two)),
      get(`${pods}/a/${part}?command=ls&container=z`),
    ],
    "by another verb": [create(pods, pod("a")), { send: `DELETE ${pods}/a/${part}` }, update(`${pods}/a/${part}`, {})],
  }),
);

export const logSequences: readonly Sequence[] = [
  ...connections,
  ...rows(
    "a log",
    {
      "of a Pod that waits for a node": [get(`${pods}/a/log?container=x`)],
      "of a Pod that is not there": [get(`${pods}/none/log`)],
      "of a Pod whose node is not there": [create(bindPath, binding("a", toNode)), get(`${pods}/a/log?container=x`)],
      "without a container's name": [get(`${pods}/a/log`)],
      "of a container that is not there": [get(`${pods}/a/log?container=z`)],
      "of a container that runs first": [get(`${pods}/a/log?container=w`)],
      "of no lines": [get(`${pods}/a/log?container=x&tailLines=-1`)],
      "of lines that are no number": [get(`${pods}/a/log?container=x&tailLines=many`)],
      "of no bytes": [get(`${pods}/a/log?container=x&limitBytes=0`)],
      "of no time": [get(`${pods}/a/log?container=x&sinceSeconds=0`)],
      "since two times": [get(`${pods}/a/log?container=x&sinceSeconds=1&sinceTime=2020-01-01T00:00:00Z`)],
      "of several mistakes": [get(`${pods}/a/log?container=x&sinceSeconds=-1&tailLines=-5&limitBytes=-1`)],
      "by another verb": [create(`${pods}/a/log`, {})],
    },
    [create(pods, pod("a", {}, two))],
  ),
];
