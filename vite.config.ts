import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import product from './package.json' with { type: 'json' }

/** Where `npm run dev` finds the API: the port of `npm start` unless told otherwise. */
const api = process.env.API_URL ?? 'http://127.0.0.1:4173'

/** What /login already needs: React, the router, the schemas, the API client and the controls of its form. */
const inShell =
  /node_modules.(react|react-dom|scheduler|zod|use-sync-external-store|@tanstack.(react-router(?!.{0,80}useBlocker)|router-core|history|store))[\\/]|lucide-react.dist.esm.(Icon|createLucideIcon|defaultAttributes|shared|context|icons.(eye|eye-off|circle-exclamation-point|circle-alert)\.)|src.lib.(class-names|lazy-part|session-store|search-text)|src.api.(client|problem-error|sessions)|preload-helper|src.ui.(button|spinner|icon-button|text-field|password-field|form-error)\.|src.features.navigation.(logo|plain-layout)\./

export default defineConfig({
  plugins: [react(), tailwindcss()],
  resolve: {
    // The stand-in for React before 18, which the store of the router still asks for.
    alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' },
  },
  server: { port: 5173, strictPort: true, proxy: { '/api': api, '/readyz': api } },
  build: {
    target: 'baseline-widely-available',
    // Maps are for the error tracker only; scripts/precompress.ts removes them from what is served.
    sourcemap: 'hidden',
    // scripts/bundle-size.ts reads the manifest to add up what a screen loads first.
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Left alone, modules that a few screens share end up in a dozen crumbs that compress badly: these three groups
          // save 4 kB of the report's first load. A group takes the imports of its modules along, unless a higher priority has them.
          groups: [
            { name: 'shell', priority: 2, test: inShell },
            {
              name: 'server-data',
              priority: 1,
              // Without what only other screens ask for.
              test: /@tanstack.(query-core|react-query)[\\/](?!.{0,80}(utationObserver|queriesObserver|useMutation|useQueries))|src.api.([a-z]+.)?(users|organisations|query-client|keys|optimistic|outliving-calls|cache-tags|change-news)\./,
            },
            // What the report draws first and other screens use too: 25 crumbs otherwise.
            {
              name: 'interface',
              priority: 1,
              test: /contract.(report(?!-(export|mail))|project(?!-detail)|change-words|province|deep-search|search(?!-(offers|echo|print))|thai(?!-date-entry)|label|bookmark|column|list-choices|money-words|discount)|src.lib.(thai|money|report|density|use-media-query|when-idle)|src.features.report-search.(use-search-writer|search-help-button)|src.features.report-filter.quick-field|src.ui.(badge|card|checkbox|empty-value|error-notice|highlighted|part|label-chip|modal|popover|anchor|project-id|skeleton|tabs|toast|visually-hidden)\.|src.features.(project-row.(row-marks|attachments|change-badge|deadline|deadline-words|money-cells|movement-chip|movement-step|name-text|status-badge)|bookmarks.(set-bookmarks|star-button)|hidden-projects.(hide-projects|hide-button)|labels.label-host|columns.save-columns|session.avatar|navigation.(access|nav-entries|nav-tabs))|src.api.(user-patches|data-time)|@tanstack.(react-table|table-core)[\\/]|lucide-react.dist.esm.icons.(arrow-(up|down|up-down)|chevrons-up-down|circle-question-mark|menu|bell|sliders-horizontal|bookmark|check|chevron-(down|left|right)|download|info|link-2|search|star|tag|x)\./,
            },
            // What the screens of figures have in common.
            {
              name: 'figures',
              priority: 0,
              minShareCount: 2,
              test: /src.features.(ignored-params|block-boundary|figure-scope.coverage-badge)|src.ui.(pager|notice|chart-figure|chart-tone|empty-state|chip)\.|src.api.file-download|contract.flat-params/,
            },
            // The icons that other screens share: a chunk for each would make the list of chunks, which every screen loads, longer than the icons.
            { name: 'icons', priority: 0, minShareCount: 2, test: /lucide-react.dist.esm.icons/ },
          ],
        },
      },
    },
    // Every browser of the target knows modulepreload.
    modulePreload: { polyfill: false },
  },
  define: {
    // Half of the name by which the error tracker tells releases apart (src/app/sentry.ts).
    __APP_VERSION__: JSON.stringify(product.version),
    // Parts of the Sentry SDK that this product never uses.
    __SENTRY_DEBUG__: 'false',
    __RRWEB_EXCLUDE_IFRAME__: 'true',
    __RRWEB_EXCLUDE_SHADOW_DOM__: 'true',
  },
})
