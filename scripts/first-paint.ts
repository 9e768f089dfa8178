import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { createServer } from 'vite'

/** Draws what the page shows until its code is there (`src/app/first-paint.tsx`) for the server, which writes it into the page (`server/http/client-files.ts`). */
const root = path.join(import.meta.dirname, '..')

// The guard of the routes writes the title, and the login asks for the settings that the server writes into the page and for the pointer: there is no page here.
Object.assign(globalThis, {
  document: { title: '', querySelector: () => null },
  window: { matchMedia: () => ({ matches: false }) },
})
const vite = await createServer({
  root,
  mode: 'production',
  logLevel: 'warn',
  // Runs the sources and serves nothing.
  server: { middlewareMode: true, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
})
try {
  const { drawFirstPaint } = await vite.ssrLoadModule('/src/app/first-paint.tsx')
  const drawn: object = await drawFirstPaint()
  writeFileSync(path.join(root, 'dist/.vite/first-paint.json'), JSON.stringify(drawn))
} finally {
  await vite.close()
}
