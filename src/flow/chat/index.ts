export { parseChat, CUSTOMER, type ChatFile, type ChatLine, type ParsedChat } from "./parse.ts";
export { runChat, updateChat, type ChatFailure, type ChatResult } from "./run.ts";
export { chatReport } from "./report.ts";
export type { ChatBubble, ChatSent, ChatState, ChatWorld, ClockMove } from "./world.ts";
export { junit, tap, type TestResult } from "./formats.ts";
