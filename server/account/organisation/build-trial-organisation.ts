import { type CustomerConfig, TRIAL_PACKAGE_NAME } from '#contract/account/organisation.ts'
import { getProvincesInRegion, REGIONS } from '#contract/thai/province.ts'
import { getFiscalYear, getFiscalYearRange } from '#contract/thai/thai-date.ts'
import { toOrganisationKey } from '#server/platform/text/organisation-key.ts'
import type { NewOrganisation } from './new-account.ts'

const YEARS_BACK = 2

export function createDefaultCustomerConfig(today: string): CustomerConfig {
  const { from } = getFiscalYearRange(getFiscalYear(today) - YEARS_BACK)
  return {
    report_start_date: from,
    min_project_budget: '0',
    max_project_budget: '0',
    search_by_ai: false,
    search_by_name: true,
    search_by_deptsub: true,
    limit_include_by_name: 50,
    limit_exclude_by_name: 50,
    limit_include_by_ai: 10,
    limit_exclude_by_ai: 10,
    limit_include_by_deptsub: 20,
    not_allow_start_time: '01:00:00',
    not_allow_end_time: '09:00:00',
    start_date_report: from,
    // A trial has no end date: the operator ends it, so its report never stops by itself.
    end_date_report: null,
    start_date_budgetyear: from,
    end_date_budgetyear: null,
  }
}

/**
 * Builds a new organisation: trial package with all features (specification section 1: "unlimited access"), the whole
 * country, no words, watch list not set up. `today`: ISO date in Bangkok.
 */
export function buildTrialOrganisation({ code, name }: { code: string; name: string }, today: string): NewOrganisation {
  const year = getFiscalYear(today)
  return {
    code,
    name,
    name_key: toOrganisationKey(name),
    package: TRIAL_PACKAGE_NAME,
    customer_config: createDefaultCustomerConfig(today),
    areas_with_provinces: Object.fromEntries(REGIONS.map((region) => [region.code, getProvincesInRegion(region.code)])),
    areas_filter_report: null,
    is_access_budget_year: true,
    is_access_budget_year_only: false,
    allow_access_budget_year: [year - 1, year].join(','),
    is_company_compare: true,
    is_access_company_comparison: true,
    is_watchlist_completed: false,
  }
}
