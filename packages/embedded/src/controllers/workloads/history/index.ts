/** ControllerRevisions: the templates that DaemonSets and StatefulSets had. */
export {
  byRevision,
  claimedHistory,
  isOfTemplate,
  latestRevisionOf,
  type TemplatePatch,
  templatePatch,
} from "./revision-history.ts";
