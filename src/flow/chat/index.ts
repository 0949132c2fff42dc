export {
  parseChat,
  CUSTOMER,
  OPERATOR,
  words,
  type ChatFile,
  type ChatHeader,
  type ChatLine,
  type ParsedChat,
} from "./parse.ts";
export { withFrom, type ReadChat } from "./include.ts";
export { runChat, updateChat, type ChatFailure, type ChatResult } from "./run.ts";
export { SENT } from "./sent.ts";
export { chatReport, type ChatPaint } from "./report.ts";
export type { ChatBubble, ChatSent, ChatState, ChatWorld, ClockMove } from "./world.ts";
export { junit, tap, type TestResult } from "./formats.ts";
export { words as chatWords } from "./parse.ts";
