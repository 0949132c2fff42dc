export { KINDS } from "./kinds.ts";
export { PIPES } from "./pipes.ts";
export { flow, flowsOf } from "./kit.ts";
export { machineFlow, prosaSetup } from "./raw.ts";
export { slot, slotOf, type SlotSchema } from "./slot.ts";
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
export { defineKind, definePipe, defineRule, result, rule } from "./define.ts";
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
} from "./registry.ts";
export {
  createLibrary,
  vocabularyOf,
  type FlowLibrary,
  type FlowSource,
  type LibrarySource,
} from "./library.ts";
export { Shelf } from "./shelf.ts";
export {
  Catalogue,
  LOCALES,
  parseCatalogue,
  type Locale,
  type ParsedCatalogue,
} from "./catalogue.ts";
export type { Catalogues } from "./lookup.ts";
export {
  flowSchema,
  MAX_FLOW_FILE,
  parseFlow,
  type ParsedFlow,
  type Places,
} from "./yaml/index.ts";
export {
  type ChannelLimits,
  type Cost,
  costsOf,
  type Explained,
  explained,
  lint,
  type LintInput,
  MESSENGER,
  type Neighbours,
  RULE_TEXTS,
} from "./lint/index.ts";
export { textTypes } from "./text-types.ts";
export { readEvents } from "./events.ts";
export { located, type Origin, typescriptPlaces } from "./origin.ts";
export { didYouMean, findingLine, type Finding } from "./finding.ts";
export { CurrentLibrary } from "./current.ts";
export { link } from "./link.ts";
export {
  against,
  harms,
  placesOf,
  type Against,
  type AgainstRow,
  type Occupied,
  type VerdictWord,
} from "./versions/index.ts";
export { flowHash } from "./hash.ts";
export { FlowProgram } from "./program.ts";
export { chartOf } from "./chart.ts";
export { chartTree, chartMermaid } from "./chart-text.ts";
export { fullChart } from "./chart-full.ts";
export { withCoverage, withFindings } from "./chart-overlay.ts";
export type { Chart, ChartEdge, ChartNode } from "./chart-model.ts";
export {
  chatWords,
  parseChat,
  runChat,
  updateChat,
  junit,
  tap,
  chatReport,
  CUSTOMER,
  OPERATOR,
  SENT,
  withFrom,
  words,
  type ChatBubble,
  type ChatFailure,
  type ChatFile,
  type ChatHeader,
  type ChatPaint,
  type ChatResult,
  type ChatSent,
  type ChatState,
  type ChatWorld,
  type ClockMove,
  type ParsedChat,
  type ReadChat,
  type TestResult,
} from "./chat/index.ts";
export type { Ast, Step } from "./ast.ts";
export type {
  EffectInfo,
  EventInfo,
  KindContext,
  Pipe,
  SlotKind,
  VersionedRule,
  Vocabulary,
} from "./vocabulary.ts";
export { evaluate, type Expr } from "./expression.ts";
export { parse as parseExpression, print as printExpression } from "./expression-text.ts";
export {
  generated,
  percent,
  Sheet,
  type Broken,
  type Coverage,
  type Generated,
  type Line,
  type Share,
} from "./proof/index.ts";
export { edgesOf, type Probe } from "./probe.ts";
export type { EdgeConfig, FlowConfig } from "./config.ts";
