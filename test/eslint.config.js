import path from "node:path";
import tseslint from "typescript-eslint";

const root = path.resolve(import.meta.dirname, "..");

/** Type-aware rules: the ones that catch real faults in asynchronous code, and the ones that keep types honest. */
export default tseslint.config(
  {
    ignores: [
      "**/dist/**",
      "**/node_modules/**",
      "test/bench/peers/**",
      "test/examples/**",
      "test/plugins/deliveries/track/**",
      "test/plugins/deliveries/panels.tsx",
      "**/*.js",
    ],
  },
  ...tseslint.configs.recommendedTypeChecked,
  {
    files: ["**/*.ts", "**/*.tsx"],
    languageOptions: {
      parserOptions: {
        project: [
          path.join(root, "test/tsconfig.json"),
          path.join(root, "src/console/web/tsconfig.json"),
        ],
        tsconfigRootDir: root,
      },
    },
    rules: {
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true },
      ],
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/require-await": "off",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "no-console": "error",
      eqeqeq: ["error", "always", { null: "ignore" }],
    },
  },
);
