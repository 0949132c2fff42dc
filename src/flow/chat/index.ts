export { parseChat, CUSTOMER, type ChatFile, type ChatLine, type ParsedChat } from "./parse.ts";
export { runChat, type ChatFailure, type ChatResult } from "./run.ts";
export { chatReport } from "./report.ts";
export type { ChatBubble, ChatSent, ChatState, ChatWorld, ClockMove } from "./world.ts";
