import { enterDemo } from '#src/account/api/log-in.ts'
import { currentSession } from '#src/lib/session-store.ts'
import { loadStartHref } from '#src/report/api/start-view.ts'

let refusal: { readonly error: unknown } | undefined

/**
 * Logs into the demo before the first render if a demo link opened the page, so that the login screen never flashes. A
 * real session stays until the user confirms the dialog (R22). A refusal is stored for the login screen
 * (`takeDemoRefusal`).
 */
export async function enterDemoByLink(): Promise<void> {
  const refkey = new URLSearchParams(location.search).get('refkey')
  const session = currentSession()
  if (location.pathname !== '/login' || !refkey || session?.isDemo === false) return
  try {
    await enterDemo(refkey)
  } catch (error) {
    refusal = { error }
    return
  }
  history.replaceState(history.state, '', await loadStartHref())
}

export function takeDemoRefusal(): { readonly error: unknown } | undefined {
  const current = refusal
  refusal = undefined
  return current
}
