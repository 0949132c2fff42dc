import { signal } from "@preact/signals";
import type { OpenPanels } from "prosa/plugin";

interface Parcel {
  readonly code: string;
  readonly state: string;
}

/** The tab of parcels in the console. */
const open: OpenPanels = ({ get, pieces: { Empty }, t }) => {
  const parcels = signal<readonly Parcel[]>([]);
  const View = () =>
    parcels.value.length === 0 ? (
      <Empty icon="list" title={t("parcels.none")} />
    ) : (
      <ul>
        {parcels.value.map(({ code, state }) => (
          <li key={code}>
            {code} {state}
          </li>
        ))}
      </ul>
    );
  return {
    texts: {
      "pt-BR": { "parcels.title": "Entregas", "parcels.none": "Nenhuma entrega" },
      en: { "parcels.title": "Deliveries", "parcels.none": "No delivery" },
    },
    panels: [
      {
        id: "parcels",
        title: "parcels.title",
        count: () => parcels.value.length,
        load: async () => {
          parcels.value = (await get<{ items: readonly Parcel[] }>("/parcels/demo")).items;
        },
        View,
      },
    ],
  };
};
export default open;
