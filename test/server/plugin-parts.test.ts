/** HTTP hooks of plugins that cannot stand together, or cannot be opened. */
import { expect, test } from "vitest";
import { pluginParts, type ServerHooks } from "../../src/server/index.ts";
import { route } from "../../src/server/api/route.ts";

const about = (path: string) =>
  route({ method: "GET", path, summary: "About parcels.", handle: async () => ({}) });
const opened = (hooks: Readonly<Record<string, ServerHooks<null>>>) => {
  const told: string[] = [];
  const plugins = Object.entries(hooks).map(([name, some]) => ({ name, ...some }));
  return { told, ...pluginParts(plugins, null, (message) => told.push(message)) };
};

test("a route or webhook that another one has is left out and told of by both names", () => {
  const first = async () => undefined;
  const { told, routes, webhooks } = opened({
    deliveries: {
      routes: () => [about("/parcels/:account"), about("/meta")],
      webhooks: () => ({ parcels: first, sms: first }),
    },
    couriers: {
      routes: () => [about("/parcels/:account"), about("/couriers")],
      webhooks: () => ({ parcels: async () => undefined }),
    },
  });

  expect(routes.map(({ path }) => path)).toEqual(["/parcels/:account", "/couriers"]);
  expect([...webhooks]).toEqual([["parcels", first]]);
  expect(told.map((line) => line.replace(/, and goes.*/, ""))).toEqual([
    "The plugin deliveries declares GET /api/meta, as the runtime does",
    "The plugin deliveries declares the webhook sms, as the runtime does",
    "The plugin couriers declares GET /api/parcels/:account, as the plugin deliveries does",
    "The plugin couriers declares the webhook parcels, as the plugin deliveries does",
  ]);
});

test("a hook that throws leaves the others of its plugin, and other plugins, as they are", () => {
  const { told, routes, webhooks } = opened({
    deliveries: {
      routes: () => {
        throw new Error("no depot");
      },
      webhooks: () => ({ parcels: async () => undefined }),
    },
    couriers: { routes: () => [about("/couriers")] },
  });

  expect(routes.map(({ path }) => path)).toEqual(["/couriers"]);
  expect([...webhooks.keys()]).toEqual(["parcels"]);
  expect(told).toEqual([
    "The plugin deliveries goes without its routes, which cannot be opened: no depot",
  ]);
});

test("a hook that answers something else leaves the others as they are", () => {
  const { told, routes } = opened({
    deliveries: { routes: () => 5 as never, pages: () => ({}) as never },
    couriers: { routes: () => [about("/couriers")] },
  });

  expect(routes.map(({ path }) => path)).toEqual(["/couriers"]);
  expect(told).toEqual([
    expect.stringContaining(
      "The plugin deliveries goes without its routes, which cannot be opened",
    ),
    expect.stringContaining("The plugin deliveries goes without its pages, which cannot be opened"),
  ]);
});
