import type { ApiKeyScope } from '#contract/account/api-key.ts'

/** Features enabled by an organisation's flags (specification section 6). */
export type OrganisationFeature = 'report' | 'budget_year' | 'company_compare' | 'company_comparison'

/** Role of a program with an API key, which acts for no user (decision 0112). */
export const API_KEY_ROLE = 'api_key'

/** The authenticated caller: read from the session row on every request, never trusted from the token (R8). */
export type Actor = {
  readonly userId: number
  readonly organisationId: number
  readonly sessionId: string
  readonly role: string
  readonly isDemo: boolean
  /**
   * True for the demo user once the demo schema exists. Only this user sees the data of that schema (decision 0053).
   */
  readonly isInDemoSchema?: boolean | undefined
  readonly features: readonly OrganisationFeature[]
  readonly isProved?: boolean | undefined
  readonly isSetUpDue?: boolean | undefined
  readonly scopes?: readonly ApiKeyScope[] | undefined
}
