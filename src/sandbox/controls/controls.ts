/** The controls under `/sandbox`: what exists, what happens, and how things are made to go wrong. Bodies and answers JSON. */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { durationMs } from "../../base/index.ts";
import { findRoute } from "../../gateway/index.ts";
import { BillingSettings } from "../world/billing.ts";
import { accountNamed, DEMO_ACCOUNT, DEMO_DEVICE, devicesOf } from "../http/callers.ts";
import { ADVANCE_LIMIT } from "../world/clock.ts";
import { bodyOf, refuse } from "../http/request-body.ts";
import { addPages } from "./pages.ts";
import { SubscriptionRequest, targetsOf } from "../webhooks/subscriptions.ts";
import { FaultRequest } from "./faults.ts";
import { addGroupControls, addPhoneControls } from "./phone-controls.ts";
import { InboundRequest, receive } from "../messages/inbound.ts";
import { invoiceRow } from "../invoicing/invoices.ts";
import { issuerBody } from "../invoicing/issuers.ts";
import { Settings } from "./settings.ts";
import type { World } from "../world/world.ts";

/** Deliveries that one redeliver call may ask for. */
const REDELIVER_LIMIT = 200;

interface ControlParts {
  readonly world: () => World;
  /** Moves the clock (back, too), lets what is due happen, and tells the bots. */
  readonly advance: (ms: number) => Promise<void>;
  readonly reset: () => void;
}

export function addControls(app: FastifyInstance, parts: ControlParts): void {
  addLists(app, parts.world);
  addInbound(app, parts.world);
  addFaults(app, parts.world);
  addSwitches(app, parts.world);
  addPhoneControls(app, parts.world);
  addGroupControls(app, parts.world);
  addTime(app, parts);
  addPages(app, parts.world);
}

/** Narrows a list to one caller. */
interface Narrowed {
  Querystring: { caller?: string; number?: string };
}

/**
 * Every list is everybody's, or one caller's with `?caller=` (an account such as `sandbox-2`, or a device of it). A name
 * nobody has is refused, so that a slip of the pen does not look like an empty list.
 */
function addLists(app: FastifyInstance, world: () => World): void {
  const list = (
    name: string,
    rows: (now: World, account: string | undefined, number: string | undefined) => unknown,
  ): void => {
    app.get<Narrowed>(`/sandbox/${name}`, (request, reply) => {
      const { caller, number } = request.query;
      const account = caller === undefined ? undefined : accountNamed(caller);
      if (caller !== undefined && account === undefined)
        return refuse(reply, 422, `${caller} is no caller.`);
      return reply.send(rows(world(), account, number));
    });
  };
  list("messages", ({ book, messages }, account, number) =>
    messages.received(
      number === undefined ? undefined : book.personOf(number.trim()),
      account === undefined ? undefined : devicesOf(account),
    ),
  );
  list("invoices", ({ invoices }, account) => invoices.all(account).map(invoiceRow));
  list("issuers", ({ issuers }, account) => issuers.all(account).map(issuerBody));
  list("jobs", ({ jobs }, account) => jobs.all(account));
  list("ledger", ({ billing }, account) => billing.ledger.all(account));
  list("requests", ({ requests }, account) => requests.all(account));
  list("webhooks", ({ webhooks }, account) =>
    webhooks.list(account === undefined ? undefined : [account, ...devicesOf(account)]),
  );
  list("billing", ({ billing }, account) => billing.settings(account ?? DEMO_ACCOUNT));
}

function addInbound(app: FastifyInstance, world: () => World): void {
  app.post("/sandbox/inbound", async (request, reply) => {
    const body = bodyOf(request, reply, InboundRequest);
    if (!body) return reply;
    const answer = await receive(world(), body);
    return typeof answer === "string" ? refuse(reply, 422, answer) : reply.code(202).send(answer);
  });
  const Redeliver = z.strictObject({
    times: z.number().int().min(1).max(REDELIVER_LIMIT).optional(),
  });
  app.post<{ Params: { id: string } }>(
    "/sandbox/webhooks/:id/redeliver",
    async (request, reply) => {
      const body = bodyOf(request, reply, Redeliver);
      if (!body) return reply;
      const row = await world().webhooks.redeliver(request.params.id, body.times ?? 1);
      if (row === undefined) return refuse(reply, 404, "There is no such webhook.");
      if (row === null) return refuse(reply, 410, "The bytes of this webhook are no longer kept.");
      return reply.code(202).send(row);
    },
  );
}

function addFaults(app: FastifyInstance, world: () => World): void {
  app.post("/sandbox/faults", (request, reply) => {
    const body = bodyOf(request, reply, FaultRequest);
    if (!body) return reply;
    if (body.route !== undefined && !findRoute(body.route))
      return refuse(reply, 422, `${body.route} is no route id.`);
    if (body.caller !== undefined && accountNamed(body.caller) !== body.caller)
      return refuse(reply, 422, `${body.caller} is no caller.`);
    const row = world().faults.add(body);
    return row ? reply.code(201).send(row) : refuse(reply, 409, "There are too many faults.");
  });
  app.get("/sandbox/faults", () => world().faults.list());
  app.delete("/sandbox/faults", () => ({ removed: world().faults.clear() }));
}

function addSwitches(app: FastifyInstance, world: () => World): void {
  for (const name of Object.keys(Settings) as readonly (keyof Settings)[]) {
    const Change = (Settings[name] as z.ZodObject).partial();
    app.get(`/sandbox/${name}`, () => world().settings[name]);
    app.put(`/sandbox/${name}`, (request, reply) => {
      const change = bodyOf(request, reply, Change);
      if (!change) return reply;
      // What is on its way keeps the settings with which it began.
      const { settings } = world();
      Object.assign(settings, { [name]: { ...settings[name], ...change } });
      return settings[name];
    });
  }
  app.put("/sandbox/subscriptions", (request, reply) => {
    const body = bodyOf(request, reply, SubscriptionRequest);
    if (!body) return reply;
    world().subscriptions.set({
      channel: body.channel,
      device: body.device ?? DEMO_DEVICE,
      targets: targetsOf(body),
      filter: body.filter ?? [],
      secret: body.secret,
      signature: body.signature,
    });
    return subscriptionRows(world());
  });
  app.get("/sandbox/subscriptions", () => subscriptionRows(world()));
  app.put("/sandbox/billing", (request, reply) => {
    const change = bodyOf(request, reply, BillingSettings.partial());
    if (!change) return reply;
    const { billing } = world();
    billing.set(change);
    return billing.settings(DEMO_ACCOUNT);
  });
}

function subscriptionRows(world: World): readonly object[] {
  return world.subscriptions.all().map(({ targets, secret, ...rest }) => ({
    ...rest,
    urls: targets.map((target) => target.url),
    hooks: targets.flatMap((target) => (target.hook === undefined ? [] : [target.hook])),
    signed: secret !== undefined,
  }));
}

function addTime(app: FastifyInstance, parts: ControlParts): void {
  const Advance = z.strictObject({
    advance: z.string().transform((text, context) => {
      const ms = durationMs(text);
      if (ms !== null && ms > 0) return ms;
      context.addIssue({ code: "custom", message: "a duration such as 90s, 15m, 2h or 3d" });
      return z.NEVER;
    }),
  });
  const Move = z.union([Advance, z.strictObject({ to: z.iso.datetime({ offset: true }) })]);
  const told = () => {
    const { clock, epoch } = parts.world();
    return { now: clock.iso(), now_ms: clock.now(), offset_ms: clock.offset, epoch };
  };
  app.get("/sandbox/clock", told);
  app.post("/sandbox/clock", async (request, reply) => {
    const body = bodyOf(request, reply, Move);
    if (!body) return reply;
    const { clock } = parts.world();
    const ms = "to" in body ? Date.parse(body.to) - clock.now() : body.advance;
    if (Math.abs(clock.offset + ms) > ADVANCE_LIMIT)
      return refuse(reply, 422, "The clock cannot be moved further than ten years.");
    await parts.advance(ms);
    return told();
  });
  app.post("/sandbox/reset", () => {
    parts.reset();
    return told();
  });
}
