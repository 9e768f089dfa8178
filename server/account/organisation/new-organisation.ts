import { type CustomerConfig, TRIAL_PACKAGE } from '#contract/account/organisation.ts'
import { provincesOf, REGIONS } from '#contract/thai/province.ts'
import { fiscalYear, fiscalYearRange } from '#contract/thai/thai-date.ts'
import { organisationKeyOf } from '#server/platform/text/organisation-key.ts'
import type { NewOrganisation } from './new-account.ts'

const YEARS_BACK = 2

export function defaultCustomerConfig(today: string): CustomerConfig {
  const { from } = fiscalYearRange(fiscalYear(today) - YEARS_BACK)
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
    // No end date: the operator ends a trial; its report never stops on its own.
    end_date_report: null,
    start_date_budgetyear: from,
    end_date_budgetyear: null,
  }
}

/**
 * A new organisation: trial package with all features (specification section 1: "unlimited access"), the whole country,
 * no words, watch list not set up. `today`: ISO date in Bangkok.
 */
export function buildTrialOrganisation({ code, name }: { code: string; name: string }, today: string): NewOrganisation {
  const year = fiscalYear(today)
  return {
    code,
    name,
    name_key: organisationKeyOf(name),
    package: TRIAL_PACKAGE,
    customer_config: defaultCustomerConfig(today),
    areas_with_provinces: Object.fromEntries(REGIONS.map((region) => [region.code, provincesOf(region.code)])),
    areas_filter_report: null,
    is_access_budget_year: true,
    is_access_budget_year_only: false,
    allow_access_budget_year: [year - 1, year].join(','),
    is_company_compare: true,
    is_access_company_comparison: true,
    is_watchlist_completed: false,
  }
}
