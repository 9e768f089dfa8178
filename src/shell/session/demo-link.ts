import { enterDemo } from '#src/account/api/log-in.ts'
import { currentSession } from '#src/lib/session-store.ts'
import { startHref } from '#src/report/api/start-view.ts'

let refusal: { readonly error: unknown } | undefined

/**
 * Enters the demo before the first screen is drawn, when the page was opened by the demo's link: the address is then that of the report, and the screen
 * between the two is never drawn. A real session is left for the question (R22), and what the server refuses for the screen that says it (`takeRefusal`).
 */
export async function enterByLink(): Promise<void> {
  const refkey = new URLSearchParams(location.search).get('refkey')
  const session = currentSession()
  if (location.pathname !== '/login' || !refkey || session?.isDemo === false) return
  try {
    await enterDemo(refkey)
  } catch (error) {
    refusal = { error }
    return
  }
  // The key leaves the address, and with it the history.
  history.replaceState(history.state, '', await startHref())
}

/** Why the link was refused, once. */
export function takeRefusal(): { readonly error: unknown } | undefined {
  const taken = refusal
  refusal = undefined
  return taken
}
