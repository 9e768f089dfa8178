import type { RouteApp } from '#server/platform/route/route-app.ts'
import type { Settings } from './settings.ts'

/** The address that people use. `address` is where the server listens, when it does. */
export function ownUrl(settings: Settings, address?: unknown): string {
  const port = typeof address === 'object' && address !== null && 'port' in address ? address.port : settings.port
  const host = settings.host === '127.0.0.1' || settings.host === '0.0.0.0' ? 'localhost' : settings.host
  return settings.publicUrl ?? `http://${host}:${port}`
}

/** Requests under way get this long when the server stops (R51). */
const STOP_WITHIN_MS = 10_000

/** Takes no new connections, lets what is under way end, then closes what is left. */
export async function closeHttp(app: RouteApp): Promise<void> {
  // A connection that got its last answer stays open for the next request, which will never come.
  const idle = setInterval(() => app.server.closeIdleConnections(), 100)
  const late = setTimeout(() => app.server.closeAllConnections(), STOP_WITHIN_MS)
  await app.close()
  clearInterval(idle)
  clearTimeout(late)
}
