/** `instance/connect` of engine C: where its events go, and which. The same call again changes nothing. */
import { isLoopbackUrl } from "../http/loopback.ts";
import { done, type Behaviour } from "../http/outcome.ts";

/** Without groups the engine tells messages only. */
const LEAST = ["MESSAGE"];

export const connectEngineC: Behaviour = (world, call) => {
  const device = call.caller.device ?? "";
  const { webhookUrl, subscribe } = call.body;
  const url = typeof webhookUrl === "string" ? webhookUrl : "";
  const groups = Array.isArray(subscribe) ? subscribe.map(String) : [];
  const filter = groups.length > 0 ? groups : LEAST;
  // An address off this machine is taken, as the engine takes it, and never posted to.
  const targets = isLoopbackUrl(url) ? [{ url }] : [];
  world.webhooks.subscribe({ channel: "engine-c", device, targets, filter });
  const { own } = world.instances.phoneOf(device);
  const data = { jid: `${own}:7@s.whatsapp.net`, webhookUrl: url, eventString: filter.join(",") };
  return done({ message: "success", data });
};
