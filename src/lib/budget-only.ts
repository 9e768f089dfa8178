/** Storage key; `public/theme.js` reads it too, before any code has loaded. */
const BUDGET_ONLY_KEY = 'tamngan.budget-only'

/**
 * Remembers whether the account is budget-only, so that the next visit does not prefetch a report that the server
 * refuses. Deleted on logout.
 */
export function rememberBudgetOnly(isBudgetOnly: boolean): void {
  try {
    if (isBudgetOnly) localStorage.setItem(BUDGET_ONLY_KEY, 'true')
    else localStorage.removeItem(BUDGET_ONLY_KEY)
  } catch {
    // Storage may be blocked; the server then refuses the prefetch.
  }
}

export function isBudgetOnly(): boolean {
  try {
    return localStorage.getItem(BUDGET_ONLY_KEY) !== null
  } catch {
    return false
  }
}
