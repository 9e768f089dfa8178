import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import product from './package.json' with { type: 'json' }

/** The API for `npm run dev`; defaults to the port of `npm start`. */
const api = process.env.API_URL ?? 'http://127.0.0.1:4173'

export default defineConfig({
  plugins: [react(), tailwindcss()],
  server: { port: 5173, strictPort: true, proxy: { '/api': api, '/readyz': api } },
  build: {
    target: 'baseline-widely-available',
    // Source maps are for the error tracker only; scripts/precompress.ts removes them from what is served.
    sourcemap: 'hidden',
    // scripts/bundle-size.ts reads the manifest to add up what a screen loads first.
    manifest: true,
    // The PDF viewer has 1.6 MB and loads when a document is opened.
    chunkSizeWarningLimit: 1_700,
    // Every browser of the target supports modulepreload.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Small modules of several screens share one chunk: each in its own, the report would load 180 files, not 35.
          groups: [
            { name: 'small', test: /[\\/](src|contract)[\\/]|lucide-react/, maxModuleSize: 2000, minShareCount: 3 },
          ],
        },
      },
    },
  },
  define: {
    // Half of the release name in the error tracker (src/app/sentry.ts).
    __APP_VERSION__: JSON.stringify(product.version),
    // Parts of the Sentry SDK that this product never uses.
    __SENTRY_DEBUG__: 'false',
    __RRWEB_EXCLUDE_IFRAME__: 'true',
    __RRWEB_EXCLUDE_SHADOW_DOM__: 'true',
  },
})
