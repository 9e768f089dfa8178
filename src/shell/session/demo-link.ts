import { enterDemo } from '#src/account/api/log-in.ts'
import { currentSession } from '#src/lib/session-store.ts'
import { startHref } from '#src/report/api/start-view.ts'

let refusal: { readonly error: unknown } | undefined

/**
 * Logs into the demo before the first render if the page was opened by a demo link, so that the login screen never
 * flashes. A real session stays for the confirmation dialog (R22); a refusal is stored for the login screen
 * (`takeRefusal`).
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
  // Remove the key from the address and the history.
  history.replaceState(history.state, '', await startHref())
}

export function takeRefusal(): { readonly error: unknown } | undefined {
  const taken = refusal
  refusal = undefined
  return taken
}
