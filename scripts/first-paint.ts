import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { createServer } from 'vite'

/**
 * Renders the first paint (`src/app/first-paint.tsx`), which the server embeds in the page
 * (`server/http/client-files.ts`).
 */
const root = path.join(import.meta.dirname, '..')

// Stubs for the browser: the route guard sets the title, and the login reads the settings embedded in the page and the
// pointer type.
Object.assign(globalThis, {
  document: { title: '', querySelector: () => null },
  window: { matchMedia: () => ({ matches: false }) },
})
const vite = await createServer({
  root,
  mode: 'production',
  logLevel: 'warn',
  server: { middlewareMode: true, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
})
try {
  const { renderFirstPaint } = await vite.ssrLoadModule('/src/app/first-paint.tsx')
  const drawn: object = await renderFirstPaint()
  writeFileSync(path.join(root, 'dist/.vite/first-paint.json'), JSON.stringify(drawn))
} finally {
  await vite.close()
}
