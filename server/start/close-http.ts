import type { RouteApp } from '#server/route/route-app.ts'

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
