import type { RouteApp } from '#server/platform/route/route-app.ts'
import type { Settings } from './settings.ts'

export function getServerUrl(settings: Settings, address?: unknown): string {
  const port = typeof address === 'object' && address !== null && 'port' in address ? address.port : settings.port
  const host = settings.host === '127.0.0.1' || settings.host === '0.0.0.0' ? 'localhost' : settings.host
  return settings.publicUrl ?? `http://${host}:${port}`
}

/** Time for which requests in progress may still run after the server starts to stop (R51). */
const STOP_TIMEOUT_MS = 10_000

export async function closeHttpServer(app: RouteApp): Promise<void> {
  // Repeatedly, because one that becomes idle later would stay open for a request that never arrives.
  const idle = setInterval(() => app.server.closeIdleConnections(), 100)
  const forceClose = setTimeout(() => app.server.closeAllConnections(), STOP_TIMEOUT_MS)
  await app.close()
  clearInterval(idle)
  clearTimeout(forceClose)
}
