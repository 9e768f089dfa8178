/** Also read by `public/theme.js`, before any code. */
const KEY = 'tamngan.budget-only'

/** Stores whether the account has the budget alone, so that the next visit queries no report that the server refuses. Signing out deletes it. */
export function rememberBudgetOnly(isBudgetOnly: boolean): void {
  try {
    if (isBudgetOnly) localStorage.setItem(KEY, 'true')
    else localStorage.removeItem(KEY)
  } catch {
    // Storage may be blocked: then the server refuses as before.
  }
}

export function isBudgetOnly(): boolean {
  try {
    return localStorage.getItem(KEY) !== null
  } catch {
    return false
  }
}
