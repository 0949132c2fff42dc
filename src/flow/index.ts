export { KINDS } from "./kinds/kinds.ts";
export { PIPES } from "./texts/template.ts";
export { flow, flowsOf } from "./authoring/kit.ts";
export { machineFlow, prosaSetup } from "./machine/raw.ts";
export { slot, slotOf, type SlotSchema } from "./authoring/slot.ts";
export type { FlowHooks } from "./bot/hooks.ts";
export {
  effect,
  type EffectDefinition,
  type EffectTypes,
  FIELD_NAME,
  type OwnEffect,
  type OwnEffectClass,
  type OwnHttp,
  type Rejection,
  type RunWork,
  SECRET_NAME,
} from "./bot/effect.ts";
export {
  type AddedTexts,
  type CommonText,
  type CommonTexts,
  commonTextsOf,
  type PluginTexts,
  spoken,
} from "./bot/texts.ts";
export { definePipe, defineRule } from "./authoring/vocabulary.ts";
export { result, rule } from "./authoring/reference.ts";
export { defineKind } from "./kinds/define-kind.ts";
export type {
  CallFailed,
  CallRefused,
  FlowRegistry,
  FlowAccount,
  FlowPolicy,
  FlowRetention,
  FlowContact,
  GatewayRoutes,
  OwnEffects,
  AnyRegistry,
} from "./authoring/registry.ts";
export {
  createLibrary,
  vocabularyOf,
  type FlowLibrary,
  type FlowSource,
  type LibrarySource,
} from "./library/library.ts";
export { ProgramCache } from "./library/program-cache.ts";
export {
  Catalogue,
  LOCALES,
  parseCatalogue,
  type Locale,
  type ParsedCatalogue,
  textTypes,
  type Catalogues,
} from "./texts/catalogue.ts";
export {
  flowSchema,
  MAX_FLOW_FILE,
  parseFlow,
  type ParsedFlow,
  type Places,
} from "./yaml/index.ts";
export { type ChannelLimits, type LintInput, MESSENGER, type Neighbours } from "./lint/context.ts";
export { type Cost, costsOf } from "./lint/cost.ts";
export { lint } from "./lint/lint.ts";
export { type Explained, explained, RULE_TEXTS } from "./lint/rules.ts";
export { readEvents } from "./yaml/events.ts";
export { located, type Origin, typescriptPlaces } from "./ast/origin.ts";
export { didYouMean, findingLine, nearest, type Finding } from "./ast/finding.ts";
export { CurrentLibrary } from "./library/library.ts";
export { link } from "./authoring/link.ts";
export { placesOf } from "./versions/resting-places.ts";
export { type VerdictWord } from "./versions/verdict.ts";
export {
  against,
  harms,
  type Against,
  type AgainstRow,
  type Occupied,
} from "./versions/verdict.ts";
export { flowHash } from "./ast/flow-hash.ts";
export { FlowProgram } from "./machine/program.ts";
export { chartOf, fullChart, withCoverage, withFindings } from "./chart/chart.ts";
export { chartTree, chartMermaid } from "./chart/chart-text.ts";
export type { Chart, ChartEdge, ChartNode } from "./chart/chart-model.ts";
export { junit, tap, type TestResult } from "./chat/report.ts";
export {
  withFrom,
  type ReadChat,
  words as chatWords,
  parseChat,
  CUSTOMER,
  OPERATOR,
  words,
  type ChatFile,
  type ChatHeader,
  type ParsedChat,
  SENT,
} from "./chat/parse.ts";
export { chatReport, type ChatPaint } from "./chat/report.ts";
export { runChat, updateChat, type ChatFailure, type ChatResult } from "./chat/run.ts";
export {
  type ChatMessage,
  type ChatSent,
  type ChatState,
  type ChatWorld,
  type ClockMove,
} from "./chat/world.ts";
export type { Ast, Step } from "./ast/ast.ts";
export type {
  EffectInfo,
  EventInfo,
  KindContext,
  Pipe,
  SlotKind,
  VersionedRule,
  Vocabulary,
} from "./authoring/vocabulary.ts";
export { evaluate, type Expr } from "./ast/expression.ts";
export { parse as parseExpression, print as printExpression } from "./ast/expression-text.ts";
export { percent, Sheet, type Coverage, type Line, type Share } from "./proof/coverage-sheet.ts";
export { generated, type Generated } from "./proof/generated.ts";
export { type Broken } from "./proof/property-place.ts";
export { edgesOf, type Probe, type EdgeConfig, type FlowConfig } from "./machine/config.ts";
export type { RuntimeEffects } from "./authoring/registry.ts";
