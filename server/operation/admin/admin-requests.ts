import { DEFAULT_MAX_MEMBERS } from '#contract/account/member.ts'
import type { CustomerConfig } from '#contract/account/organisation.ts'
import type { UserRole } from '#contract/account/user.ts'
import type { DocumentFactCheck, DocumentFactStatus } from '#contract/documents/fact-statuses.ts'
import type { KeywordNoiseLevel } from '#contract/matching/keyword-impact.ts'
import type { MetricPeriod } from '#contract/operation/metrics.ts'
import type { OrganisationFlag, OrganisationLimit } from '#contract/operation/operator-organisations.ts'
import { DAILY_OCR_PAGES_PER_ORGANISATION } from '#server/documents/picture/image-ocr-queries.ts'
import { StatementError } from '#server/platform/engine/db.ts'
import type { AdminJobRow, AdminMailRow } from './admin-job-queries.ts'
import type { AdminDataLoadRow, UnreadableSourceRow } from './admin-load-queries.ts'
import type { ItemsNeedingAttentionCounts } from './count-items-needing-attention.ts'
import type { ServerMetricPoint } from './metric-history.ts'
import type {
  AdminKeywordBlacklistRow,
  AdminOrganisationDetails,
  AdminOrganisationRow,
  AdminUnapprovedKeywordRow,
  AdminUserRow,
} from './queries.ts'

export const ORGANISATION_FLAG_COLUMNS = {
  'budget-year': 'is_access_budget_year',
  'budget-year-only': 'is_access_budget_year_only',
  'company-compare': 'is_company_compare',
  'company-comparison': 'is_access_company_comparison',
} as const satisfies Readonly<Record<OrganisationFlag, string>>
export type OrganisationFlagName = OrganisationFlag

export const ORGANISATION_LIMIT_FIELDS = {
  include: 'limit_include_by_name',
  exclude: 'limit_exclude_by_name',
  'ai-include': 'limit_include_by_ai',
  'ai-exclude': 'limit_exclude_by_ai',
  'deptsub-include': 'limit_include_by_deptsub',
  members: 'limit_members',
  'document-days': 'limit_document_days',
  'picture-pages': 'limit_picture_pages',
} as const satisfies Readonly<Record<OrganisationLimit, string>>
export type OrganisationLimitName = OrganisationLimit

const DEFAULT_LIMITS: Partial<Record<string, number>> = {
  members: DEFAULT_MAX_MEMBERS,
  'picture-pages': DAILY_OCR_PAGES_PER_ORGANISATION,
}

export function getOrganisationLimits(config: Partial<CustomerConfig>): Record<OrganisationLimit, number> {
  const stored = config as Partial<Record<string, number>>
  return Object.fromEntries(
    Object.entries(ORGANISATION_LIMIT_FIELDS).map(([limit, field]) => [
      limit,
      stored[field] ?? DEFAULT_LIMITS[limit] ?? 0,
    ]),
  ) as Record<OrganisationLimit, number>
}

export type AdminRequest =
  | { readonly do: 'organisations' }
  | { readonly do: 'users'; readonly organisation?: string | undefined }
  | { readonly do: 'attention' }
  | { readonly do: 'metrics'; readonly period: MetricPeriod }
  | { readonly do: 'mails' }
  | { readonly do: 'resend-mail'; readonly id: number }
  | { readonly do: 'jobs' }
  | { readonly do: 'restart-job'; readonly id: number }
  | { readonly do: 'loads'; readonly night?: string | undefined }
  | { readonly do: 'bad-rows'; readonly load: number }
  | { readonly do: 'show'; readonly organisation: string }
  | {
      readonly do: 'create-organisation'
      readonly code: string
      readonly name: string
      readonly package?: string | undefined
    }
  | {
      readonly do: 'create-user'
      readonly organisation: string
      readonly email: string
      readonly firstName: string
      readonly lastName: string
      readonly role: UserRole
    }
  | {
      readonly do: 'create-operator'
      readonly email: string
      readonly firstName: string
      readonly lastName: string
    }
  | { readonly do: 'set-organisation-disabled'; readonly organisation: string; readonly disabled: boolean }
  | { readonly do: 'set-user-disabled'; readonly email: string; readonly disabled: boolean }
  | { readonly do: 'set-package'; readonly organisation: string; readonly package: string }
  | {
      readonly do: 'set-flag'
      readonly organisation: string
      readonly flag: OrganisationFlagName
      readonly on: boolean
    }
  | {
      readonly do: 'set-limit'
      readonly organisation: string
      readonly limit: OrganisationLimitName
      readonly most: number
    }
  | { readonly do: 'set-budget-years'; readonly organisation: string; readonly years: readonly number[] }
  | { readonly do: 'set-max-labels'; readonly email: string; readonly most: number }
  | { readonly do: 'set-role'; readonly email: string; readonly role: UserRole }
  | { readonly do: 'blacklist' }
  | { readonly do: 'change-blacklist'; readonly word: string; readonly add: boolean }
  | { readonly do: 'facts' }
  | { readonly do: 'next-fact'; readonly fact: string }
  | { readonly do: 'check-fact'; readonly fact: string; readonly hash: string; readonly isRight: boolean }
  | { readonly do: 'set-fact'; readonly fact: string; readonly on: boolean }
  | { readonly do: 'waiting' }
  | { readonly do: 'keyword-impact'; readonly id: number }
  | { readonly do: 'judge-keyword'; readonly id: number; readonly approve: boolean }
  /** `window` contains Bangkok times as `HH:MM`; if it is undefined, the lists are never closed. */
  | {
      readonly do: 'set-window'
      readonly organisation: string
      readonly window?: { readonly start: string; readonly end: string } | undefined
    }
  | { readonly do: 'rematch'; readonly organisation: string }
  | { readonly do: 'remove-second-factor'; readonly email: string }
  | { readonly do: 'set-email'; readonly email: string; readonly to: string }
  | { readonly do: 'set-password'; readonly email: string; readonly password: string }

/**
 * Removes the demo data before real data is imported. Without `confirmed` the request only reports what would be
 * removed. `closeAccounts` disables the demo accounts; otherwise they remain, with their lists and saved filters. The
 * code of this request is with the code of loads, because it publishes one.
 */
export type RemoveDemoDataRequest = {
  readonly do: 'retire-sample'
  readonly confirmed: boolean
  readonly closeAccounts: boolean
}

export type KeywordApprovalImpact = {
  readonly days: number
  readonly before: number
  readonly after: number
  readonly added: number
  readonly perWorkingDay: number
  readonly level: KeywordNoiseLevel
  readonly samples: readonly string[]
}

export type AdminResponse =
  | { readonly organisations: readonly AdminOrganisationRow[] }
  | { readonly users: readonly AdminUserRow[] }
  | { readonly attention: ItemsNeedingAttentionCounts }
  | { readonly metrics: readonly ServerMetricPoint[] }
  | { readonly mails: readonly AdminMailRow[] }
  /** `canRestart` is true if the job is dead and no user was notified of that. */
  | { readonly jobs: readonly (AdminJobRow & { readonly canRestart: boolean })[] }
  | { readonly loads: readonly AdminDataLoadRow[] }
  | { readonly badRows: readonly UnreadableSourceRow[] }
  | { readonly blacklist: readonly AdminKeywordBlacklistRow[] }
  | { readonly waiting: readonly AdminUnapprovedKeywordRow[] }
  | { readonly facts: readonly DocumentFactStatus[] }
  | { readonly check: DocumentFactCheck | null }
  | { readonly impact: KeywordApprovalImpact }
  | { readonly details: AdminOrganisationDetails; readonly users: readonly AdminUserRow[] }
  | { readonly done: string }
  /** The password is shown only in this response. */
  | { readonly createdUser: string; readonly password: string }

export class AdminRequestRejectedError extends Error {
  override readonly name = 'AdminRequestRejectedError'
  readonly reason: 'unknown' | 'taken' | 'invalid'

  constructor(message: string, reason: 'unknown' | 'taken' | 'invalid' = 'invalid') {
    super(message)
    this.reason = reason
  }
}

export function createAlreadyTakenErrorHandler(subject: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof StatementError && error.code === '23505')
      throw new AdminRequestRejectedError(`${subject} is already taken`, 'taken')
    throw error
  }
}
