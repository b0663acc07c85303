import { type JsonObject, trackUpdate } from "@stowage/machinery/apply";
import { ApiError, badRequest, conflict, internalError, notFound, routeNotFound } from "../../answers/index.ts";
import { fieldsOf, metadataOf, type Strategy, sameJson, specOf, textOf } from "../../strategies/index.ts";
import type { ApiAnswer, ApiRequest } from "../../verbs/index.ts";
import { objectKey } from "../../verbs/object-key.ts";
import { parsedVersion, waitForVersion } from "../../verbs/reads/resource-version.ts";
import { inNamespace } from "../../verbs/writes/namespace-check.ts";
import { desiredObject, patchTypeOf, sentPatch } from "../../verbs/writes/object-patch.ts";
import { checkName, replaceObject } from "../../verbs/writes/object-update.ts";
import { parsedBody, type SentObject, sentObject } from "../../verbs/writes/request-body.ts";
import { liveObject, objectText } from "../../verbs/writes/stored-object.ts";
import { checkFields, unexpected } from "../../verbs/writes/write-errors.ts";
import { type FieldValidation, writeOptions } from "../../verbs/writes/write-options.ts";
import { managerOf, type WriteDeps, type WriteTarget } from "../../verbs/writes/write-target.ts";
import { parentTarget } from "../parent-target.ts";
import { countAt, type ScaleForm, scaleFormOf } from "./scale-form.ts";
import { liveScale, scaledObject, scaleErrors, scaleOf } from "./scale-object.ts";
import { scaleStrategy } from "./scale-strategy.ts";

export async function getScale(deps: WriteDeps, request: ApiRequest): Promise<ApiAnswer> {
  const { parent, form } = scaling(deps, request);
  const { resource, namespace, strategy } = parent;
  const name = request.info.name ?? "";
  const key = objectKey(resource, { namespace, name });
  await waitForVersion(deps, parsedVersion(request.query.get("resourceVersion") ?? ""), request.signal);
  const stored = deps.store.get(key);
  if (stored === undefined) throw notFound(resource, name);
  const object = liveObject(strategy, stored);
  if (form.isCustom && countAt(object, form.replicas) === undefined) {
    throw internalError(`the spec replicas field ".${form.replicas.join(".")}" does not exist`);
  }
  return { code: 200, body: JSON.stringify(scaleOf(object, form)) };
}

/** `PUT`: the whole scale is sent. */
export async function updateScale(deps: WriteDeps, request: ApiRequest): Promise<ApiAnswer> {
  const { parent, target, form } = scaling(deps, request);
  const { strategy } = target;
  const options = writeOptions("UpdateOptions", request.query);
  const sent = sentScale(target, form, options.fieldValidation);
  const next = inNamespace(sent.object, target.namespace);
  checkName(next, request.info.name ?? "");
  const manager = managerOf(target, options.fieldManager);
  const uid = textOf(metadataOf(next)["uid"]);
  const rescaled = (live: JsonObject, nowMs: number) => trackUpdate(strategy.managed, { live, next, manager, nowMs });
  return await writeScale({
    parent,
    form,
    warnings: [...sent.warnings],
    isDryRun: options.isDryRun,
    uid: uid === "" ? undefined : uid,
    rescaled,
  });
}

/** Versions that a Scale has had, and that are not taken for it any more. */
const oldVersions: ReadonlySet<string> = new Set(["apps/v1beta1", "apps/v1beta2", "extensions/v1beta1"]);

function sentScale({ strategy, request }: WriteTarget, form: ScaleForm, validation: FieldValidation): SentObject {
  const parsed = parsedBody(request);
  const { apiVersion, kind } = typeof parsed === "string" ? {} : fieldsOf(parsed.value);
  if (!form.isCustom && kind === "Scale" && oldVersions.has(textOf(apiVersion))) {
    const expected = "does not match the expected API version (autoscaling/v1)";
    throw badRequest(`the API version in the data (${textOf(apiVersion)}) ${expected}`);
  }
  try {
    return sentObject(strategy, request, validation);
  } catch (error) {
    if (!form.isCustom || !(error instanceof ApiError) || error.status.code !== 400) throw error;
    // Whatever it is that cannot be read, the original trips over the kind when it wants to say so.
    throw badRequest('no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"');
  }
}

export async function patchScale(deps: WriteDeps, request: ApiRequest): Promise<ApiAnswer> {
  const { parent, target, form } = scaling(deps, request);
  const type = patchTypeOf(parent);
  const options = writeOptions("PatchOptions", request.query, type === "apply");
  const warnings: string[] = [];
  const patching = { target, type, options, sent: sentPatch(type, request), warnings };
  const rescaled = (live: JsonObject, nowMs: number) => {
    const scale = desiredObject(patching, live, nowMs);
    if (form.isCustom && type === "apply") checkUnchanged(scale, live);
    return scale;
  };
  return await writeScale({ parent, form, warnings, isDryRun: options.isDryRun, uid: undefined, rescaled });
}

/** The original cannot apply another number to the scale of a custom resource, and this is how it says so. */
function checkUnchanged(scale: JsonObject, live: JsonObject): void {
  if (sameJson(specOf(scale)["replicas"], specOf(live)["replicas"])) return;
  const { name } = metadataOf(scale);
  const what = `(/${textOf(name)}; autoscaling/v1, Kind=Scale)`;
  const why = "request to convert CR to an invalid group/version: autoscaling/v1";
  throw unexpected(`failed to convert new object ${what} to proper version: ${why}`);
}

interface Scaling {
  /** What is scaled. */
  readonly parent: WriteTarget;
  /** Its scale, as if it were an object of its own. */
  readonly target: WriteTarget;
  readonly form: ScaleForm;
}

function scaling(deps: WriteDeps, request: ApiRequest): Scaling {
  const parent = parentTarget(deps, request);
  const form = scaleFormOf(parent.resource);
  const strategy: Strategy | undefined = scaleStrategy(deps.strategies, parent.resource);
  if (form === undefined || strategy === undefined) throw routeNotFound();
  return { parent, form, target: { ...parent, strategy } };
}

interface ScaleWrite {
  readonly parent: WriteTarget;
  readonly form: ScaleForm;
  readonly warnings: string[];
  readonly isDryRun: boolean;
  readonly uid: string | undefined;
  /** The scale that is wanted, with its managed fields, given the one that is there. */
  readonly rescaled: (live: JsonObject, nowMs: number) => JsonObject;
}

/** The object is made its scale, the scale is written, and the object made of it again. */
async function writeScale({ parent, form, rescaled, ...write }: ScaleWrite): Promise<ApiAnswer> {
  const answer = await parent.deps.store.transact((transaction) =>
    replaceObject(transaction, {
      ...write,
      target: parent,
      mayCreate: false,
      desired(live, nowMs) {
        const object = live ?? {};
        const scale = rescaled(liveScale(object, form), nowMs);
        if (!form.isCustom) checkScale(parent, scale, object);
        return scaledObject(object, scale, form);
      },
    }),
  );
  const object = JSON.parse(answer.body as string) as JsonObject;
  return { ...answer, body: objectText(parent.strategy, scaleOf(object, form)) };
}

function checkScale({ resource }: WriteTarget, scale: JsonObject, object: JsonObject): void {
  const name = textOf(metadataOf(object)["name"]);
  checkFields({ group: "autoscaling", kind: "Scale", name }, scaleErrors(scale));
  const [wanted, found] = [textOf(metadataOf(scale)["uid"]), textOf(metadataOf(object)["uid"])];
  if (wanted === "" || wanted === found) return;
  const why = `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${found}`;
  throw conflict({ group: resource.group, plural: `${resource.plural}/scale` }, name, why);
}
