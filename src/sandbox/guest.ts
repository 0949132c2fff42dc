/**
 * A business that is there for a while, such as that of one chat file: the second registration as new, its phone and its
 * issuer told to one account of the bot. What others do in the sandbox meanwhile is left as it is.
 */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { bodyOf } from "./control-body.ts";
import { Channel, subscriptionsAsNew } from "./delivery-settings.ts";
import { demoIssuer } from "./issuers.ts";
import { DEMO_SECRET, type World } from "./world.ts";

/** Its registration, see `callers.ts`. */
const GUEST = "sandbox-2";
const GUEST_TOKEN = "sandbox-token-2";
const GUEST_DEVICE = "sandbox-device-2";
/** Issuer of the guest, as the demo's is of the demo. */
const GUEST_ISSUER_ID = "6f1f7d3e-0000-4000-8000-000000000002";

const GuestRequest = z.strictObject({
  /** Webhook token of the bot's account. */
  token: z.string().regex(/^[A-Za-z0-9_-]{16,128}$/, "a webhook token"),
});

export function addGuest(app: FastifyInstance, world: () => World): void {
  app.put("/sandbox/guest", (request, reply) => {
    const body = bodyOf(request, reply, GuestRequest);
    if (!body) return reply;
    const { issuers, webhooks, clock, botUrl } = world();
    leave(world());
    const issuer = demoIssuer(`${botUrl}/webhooks/invoicing/${body.token}`, clock.now());
    issuers.add({ ...issuer, id: GUEST_ISSUER_ID, account: GUEST });
    for (const one of subscriptionsAsNew(botUrl, GUEST_DEVICE, body.token, DEMO_SECRET))
      webhooks.subscribe(one);
    return { caller: GUEST, token: GUEST_TOKEN, device: GUEST_DEVICE, issuer: GUEST_ISSUER_ID };
  });
  app.delete("/sandbox/guest", () => {
    leave(world());
    return { ok: true };
  });
}

/** Nobody is told anything any more, and the next one finds neither its companies nor its faults. */
function leave({ issuers, faults, webhooks }: World): void {
  faults.forget(GUEST);
  issuers.forget(GUEST);
  for (const channel of Channel.options)
    webhooks.subscribe({ channel, device: GUEST_DEVICE, targets: [], filter: [] });
}
