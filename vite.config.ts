import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where `npm run dev` finds the API: the port of `npm start` unless told otherwise. */
const api = process.env.API_URL ?? 'http://127.0.0.1:4173'

export default defineConfig({
  plugins: [react(), tailwindcss()],
  server: { port: 5173, strictPort: true, proxy: { '/api': api } },
  build: {
    target: 'baseline-widely-available',
    // Maps are for the error tracker only; scripts/precompress.ts removes them from what is served.
    sourcemap: 'hidden',
    // scripts/bundle-size.ts reads the manifest to add up what a screen loads first.
    manifest: true,
    // Every browser of the target knows modulepreload.
    modulePreload: { polyfill: false },
  },
  define: {
    // Parts of the Sentry SDK that this product never uses.
    __SENTRY_DEBUG__: 'false',
    __RRWEB_EXCLUDE_IFRAME__: 'true',
    __RRWEB_EXCLUDE_SHADOW_DOM__: 'true',
  },
})
