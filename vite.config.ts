import path from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import product from './package.json' with { type: 'json' }

/** Where `npm run dev` finds the API: the port of `npm start` unless told otherwise. */
const api = process.env.API_URL ?? 'http://127.0.0.1:4173'

/** What /login already needs: React, the router, the API client and the controls of its form. */
const inShell =
  /node_modules.(react|react-dom|scheduler|use-sync-external-store|@tanstack.(react-router(?!.{0,80}useBlocker)|router-core|history|store))[\\/]|lucide-react.dist.esm.(Icon|createLucideIcon|defaultAttributes|shared|context|icons.(eye|eye-off|circle-exclamation-point|circle-alert|telescope|list-checks|bell-ring)\.)/

type Modules = { readonly importedIds: readonly string[]; readonly importers: readonly string[] }
type Context = { readonly getModuleInfo: (id: string) => Modules | null }

/** Where the first second of a screen behind the login begins: the layout, the account, and the report; and what every screen shows when it fails. */
const REPORT = [
  'src/routes/load-account.ts',
  'src/routes/layout/app-layout.tsx',
  'src/report/pages/report/report-page.tsx',
  'src/app/error-screen.tsx',
]
/** What every screen behind the login loads when its first drawing is done. */
const SOON = [
  'src/shell/session/session-end-bar.tsx',
  'src/shell/connection/failed-reads.tsx',
  'src/shell/navigation/scroll-to-top.tsx',
  'src/report/api/change-poll.ts',
  'src/report/api/user-patches.ts',
  'src/report/filter/money-histogram.tsx',
  'src/report/link/copy-report-link.ts',
  'src/channels/line-copy/copy-for-line.ts',
  'src/report/pages/report/report-print.tsx',
  'src/report/pages/report/states/report-notices.tsx',
]
/** What the report draws on a phone in place of the table and the panel. */
const PHONE = [
  'src/report/pages/report/cards/report-cards.tsx',
  'src/report/pages/report/filter/phone-menus.tsx',
  'src/report/pages/report/filter/filter-sheet.tsx',
  'src/report/pages/report/cards/report-pull.tsx',
]
/** Icons on rows and on cards, which would make one load the other. */
const ON_ROWS_AND_CARDS = /lucide-react.dist.esm.icons.(external-link|arrow-down|chevrons-up-down)\./
/** What it draws on wider windows: a phone would load 22 kB for nothing. */
const DESK = ['src/report/pages/report/results-table.tsx']
/** The filters: beside the table of a desk, and on a phone in a sheet that a press opens. */
const PANEL = ['src/report/pages/report/filter/counted-panel.tsx']
/** A package whose one entry names hundreds of modules: what it imports says nothing about what is used. */
const BARREL = /node_modules.lucide-react/

/** What the packages of the first second name too, and screens or clicks behind it alone use: a form that asks before it is left, the picker of departments. */
const USED_LATER = /(useBlocker|useQueries|queriesObserver)\.js/

/** Tells these modules and what they load statically. */
function behind(entries: readonly string[]) {
  let found: Set<string> | undefined
  return (id: string, context: Context): boolean => {
    if (!found) {
      const starts = entries.map((entry) => path.join(import.meta.dirname, entry))
      found = new Set()
      const open = [...starts]
      // A file that has moved would silently be left out.
      const gone = starts.find((start) => !context.getModuleInfo(start))
      if (gone) throw new Error(`${gone} is no module of the build`)
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        if (found.has(next) || BARREL.test(next) || USED_LATER.test(next)) continue
        found.add(next)
        open.push(...(context.getModuleInfo(next)?.importedIds ?? []))
      }
    }
    return found.has(id)
  }
}
const ofReport = behind(REPORT)
const ofPhone = behind(PHONE)
const ofDesk = behind(DESK)
const ofPanel = behind(PANEL)
/** The product's own modules of the table, or of the filters, that something else needs too: left with it they would make a phone load it. */
const isBeside = (of: typeof ofDesk, id: string, context: Context) =>
  !id.includes('node_modules') &&
  of(id, context) &&
  context.getModuleInfo(id)!.importers.some((importer) => !of(importer, context))
const ofSoon = behind(SOON)
// The HTTP client stands behind an import() for the sake of /login; every screen behind it asks at once.
const ofQueries = behind([
  'src/routes/load-account.ts',
  'src/report/pages/report/start-report.ts',
  'src/report/pages/short-link/start-short-link.ts',
  // Asked for between the login and the report.
  'src/report/api/start-view.ts',
  'src/shell/session/demo-link.ts',
  'src/account/api/log-in.ts',
  'src/api/http/ky-client.ts',
])
const ofLogin = behind(['src/app/start.tsx', 'src/account/pages/login/login-page.tsx'])
/** Not in the shell: packages that it does not name, the entry of the build and what starts after it, and the form with its package, which the report does not need. */
const OWN_TO_LOGIN =
  /node_modules|src.main\.tsx|src.app.chunk-recovery|src.account.pages.login|src.account.form-refusal|src.api.http.field-errors/
/** The packages that /login needs, by name, and of the product's own modules all that it loads. */
const isShell = (id: string, context: Context) => inShell.test(id) || (!OWN_TO_LOGIN.test(id) && ofLogin(id, context))

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
    // The reader of PDF is 1.6 MB and loaded when a document is opened. What a screen loads first has limits of its own in scripts/bundle-size.ts.
    chunkSizeWarningLimit: 1_700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Left alone, modules that a few screens share end up in a dozen crumbs that compress badly: these groups
          // keep the first second to few requests. A group takes the imports of its modules along, unless a higher priority has them.
          groups: [
            // The entry loads it before anything else, to ask for the rest.
            { name: 'loader', priority: 4, test: /preload-helper|src.main\.tsx|src.app.chunk-recovery/ },
            { debugName: 'shell', name: (id, context) => (isShell(id, context) ? 'shell' : null), priority: 3 },
            // Forms: /login has one, the report has none in its first second.
            {
              name: 'form',
              priority: 1,
              test: /node_modules.react-hook-form[\\/]|src.account.form-refusal/,
            },
            // What the first queries of all screens need: the cache, the questions, and what reads an address.
            {
              debugName: 'server-data',
              name: (id, context) => (ofQueries(id, context) ? 'server-data' : null),
              priority: 2,
            },
            // What the report draws in its first second, in one piece: the page, and what both rows and cards are made of.
            {
              debugName: 'interface',
              name: (id, context) =>
                ofReport(id, context) ||
                isBeside(ofDesk, id, context) ||
                isBeside(ofPanel, id, context) ||
                ON_ROWS_AND_CARDS.test(id)
                  ? 'interface'
                  : null,
              priority: 1,
            },
            // Other screens have tables too, and need nothing of the report's.
            { name: 'table', priority: 0.8, test: /@tanstack.(react-table|table-core)[\\/]/ },
            {
              name: 'virtual-rows',
              priority: 0.8,
              test: /@tanstack.(react-virtual|virtual-core)[\\/]|report.table.virtual-rows/,
            },
            { debugName: 'panel', name: (id, context) => (ofPanel(id, context) ? 'panel' : null), priority: 0.75 },
            { debugName: 'phone', name: (id, context) => (ofPhone(id, context) ? 'phone' : null), priority: 0.7 },
            { debugName: 'desk', name: (id, context) => (ofDesk(id, context) ? 'desk' : null), priority: 0.7 },
            { debugName: 'soon', name: (id, context) => (ofSoon(id, context) ? 'soon' : null), priority: 0.5 },
            // Small modules that other screens and dialogs share: crumbs otherwise, whose names would weigh in the list that every screen loads.
            { name: 'shared', priority: 0, minShareCount: 3, maxModuleSize: 4000, test: /[\\/](src|contract)[\\/]/ },
            // The icons that other screens share: a chunk for each would make the list of chunks, which every screen loads, longer than the icons.
            { name: 'icons', priority: 0, minShareCount: 2, test: /lucide-react.dist.esm.icons/ },
          ],
        },
      },
    },
    modulePreload: {
      // Every browser of the target knows modulepreload.
      polyfill: false,
      // Only what many screens share is asked for ahead: the names of all others would weigh 1 kB in the list that /login loads. What every screen behind the
      // login needs is asked for by the page (scripts/screen-preloads.ts), /login fetches it when there is time.
      resolveDependencies: (_file, names, { hostType }) =>
        hostType === 'html' ? names : names.filter((name) => /\/shared-/.test(name)),
    },
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
