import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import product from './package.json' with { type: 'json' }
import { entryFirstPlugin } from './scripts/entry-first-plugin.ts'
import { reactPlugin } from './scripts/react-plugin.ts'
import { nameReportChunk, reportPreloadPlugin } from './scripts/report-preloads.ts'

/** The API for `npm run dev`; defaults to the port of `npm start`. */
const api = process.env.API_URL ?? 'http://127.0.0.1:4173'
export default defineConfig({
  plugins: [reactPlugin, tailwindcss(), reportPreloadPlugin, entryFirstPlugin],
  server: { port: 5173, strictPort: true, proxy: { '/api': api, '/readyz': api } },
  build: {
    target: 'baseline-widely-available',
    // Source maps are for the error tracker only; scripts/precompress.ts removes them from what is served.
    sourcemap: 'hidden',
    // scripts/bundle-size.ts reads the manifest to add up what a screen loads first.
    manifest: true,
    // The PDF viewer is 1.6 MB and loads when a document is opened.
    chunkSizeWarningLimit: 1_700,
    // Every browser of the target supports modulepreload.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'initial', tags: ['$initial'] },
            { name: nameReportChunk, debugName: 'report', minShareCount: 2 },
            {
              // Without it the report loads 208 scripts, not 12. Dialogs would bring what they import, 21 kB.
              name: 'shared',
              test: /[\\/](contract|lucide-react|src[\\/](?!market|team|operation|account|ui[\\/]chart)[^\\/]+)[\\/](?!.*-(dialog|panel)\.tsx)/,
              maxModuleSize: 4000,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
  define: {
    // Half of the release name in the error tracker, and parts of its SDK that this product never uses.
    __APP_VERSION__: JSON.stringify(product.version),
    __SENTRY_DEBUG__: 'false',
    __RRWEB_EXCLUDE_IFRAME__: 'true',
    __RRWEB_EXCLUDE_SHADOW_DOM__: 'true',
  },
})
