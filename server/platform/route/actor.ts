import type { ApiKeyScope } from '#contract/account/api-key.ts'

/** Parts of the product that an organisation's flags open (specification section 6). */
export type Feature = 'report' | 'budget_year' | 'company_compare' | 'company_comparison'

/** Who asks: read from the session row on every request, never trusted from the token (R8). */
export type Actor = {
  readonly userId: number
  readonly organisationId: number
  readonly sessionId: string
  readonly role: string
  readonly isDemo: boolean
  /** The demo, once the sample was set apart: it alone sees it (decision 0053). */
  readonly isApart?: boolean | undefined
  readonly features: readonly Feature[]
  /** Whoever holds the session has shown who they are within the last ten minutes. */
  readonly isProved?: boolean | undefined
  /** The organisation asks for a second factor, and the user has to set one up before anything else. */
  readonly isSetUpDue?: boolean | undefined
  /** Of an API key, which is nobody: what it may read. */
  readonly scopes?: readonly ApiKeyScope[] | undefined
}
