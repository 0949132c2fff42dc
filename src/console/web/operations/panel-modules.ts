/** The browser modules of plugins. The bundler puts a list of the loaded ones in the place of this empty one. */
import type { PanelModule } from "../parts.tsx";

export const modules: readonly PanelModule[] = [];
