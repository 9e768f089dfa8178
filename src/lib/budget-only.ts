/** Also read by `public/theme.js` before any code has loaded. */
const KEY = 'tamngan.budget-only'

/**
 * Remembers whether the account is budget-only, so that the next visit does not prefetch a report that the server
 * refuses. Deleted on logout.
 */
export function rememberBudgetOnly(isBudgetOnly: boolean): void {
  try {
    if (isBudgetOnly) localStorage.setItem(KEY, 'true')
    else localStorage.removeItem(KEY)
  } catch {
    // Storage may be blocked; the server then refuses the prefetch.
  }
}

export function isBudgetOnly(): boolean {
  try {
    return localStorage.getItem(KEY) !== null
  } catch {
    return false
  }
}
