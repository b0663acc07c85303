import { describe, expect, it } from "vitest";
import { DocumentsScene } from "./documents-fixture.ts";

function metered(method: string, path: string) {
  return { method, url: new URL(`https://server${path}`) };
}

describe("metrics", () => {
  it("count requests and the watches that go on", () => {
    using scene = new DocumentsScene();
    const { meter } = scene.deps;
    meter.answering(metered("POST", "/api/v1/namespaces/a/pods?dryRun=All"), 201)();
    meter.answering(metered("GET", "/nope"), 404)();
    const ended = meter.answering(metered("GET", "/apis/apps/v1/deployments?watch=1"), 200);
    const watching =
      'apiserver_longrunning_requests{component="apiserver",group="apps",resource="deployments",scope="cluster",subresource="",verb="WATCH",version="v1"}';
    const text = String(scene.send("GET /metrics").body);
    expect(text).toContain(
      'apiserver_request_total{code="201",component="apiserver",dry_run="All",group="",resource="pods",scope="namespace",subresource="",verb="POST",version="v1"} 1\n',
    );
    expect(text).toContain(
      'apiserver_request_total{code="404",component="",dry_run="",group="",resource="",scope="",subresource="",verb="GET",version=""} 1\n',
    );
    expect(text).toContain(`${watching} 1\n`);
    ended();
    expect(scene.send("GET /metrics").body).toContain(`${watching} 0\n`);
  });

  it("have no line for what anybody could make up", () => {
    using scene = new DocumentsScene();
    const { meter } = scene.deps;
    for (const path of ["/nope", "/nope/more", "/api/v1/nopes", "/api/v1/namespaces/a/pods/b/nope"]) {
      meter.answering(metered("GET", path), 404)();
    }
    for (const method of ["BREW", "WHEN"]) meter.answering(metered(method, "/nope"), 404)();
    expect([...meter.totals.values()]).toEqual([4, 2]);
  });

  it("count what is stored", async () => {
    using scene = new DocumentsScene();
    await scene.deps.store.transact((transaction) => {
      for (const name of ["a", "b"]) transaction.put(`/registry/core/configmaps/x/${name}`, "{}");
    });
    const text = String(scene.send("GET /metrics").body);
    expect(text).toContain('apiserver_storage_objects{resource="configmaps"} 2\n');
    expect(text).toContain('apiserver_storage_objects{resource="deployments.apps"} 0\n');
    expect(text).toMatch(/\nprocess_resident_memory_bytes \d+\n/u);
  });
});
