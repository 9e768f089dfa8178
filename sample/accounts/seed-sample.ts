import { type CustomerConfig, KEYWORD_LIST_CODES } from '#contract/account/organisation.ts'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import { getProvincesInRegion, type Region } from '#contract/thai/province.ts'
import { addMonths, getBangkokToday, getFiscalYear } from '#contract/thai/thai-date.ts'
import { createDefaultCustomerConfig } from '#server/account/organisation/build-trial-organisation.ts'
import { insertOrganisation, insertUser } from '#server/account/organisation/new-account.ts'
import { type StoredKeywordTerm, storeKeywordTerms } from '#server/matching/keyword/store-terms.ts'
import type { KeywordExpander } from '#server/matching/meaning/keyword-expander.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import { toEmailKey } from '#server/platform/text/email.ts'
import { toOrganisationKey } from '#server/platform/text/organisation-key.ts'
import { insertSampleKeywords, type SampleKeyword } from './queries-sample.ts'
import { SAMPLE_ORGANISATIONS, SAMPLE_PASSWORD, type SampleOrganisation } from './sample-organisations.ts'

/** A hash that no password matches: the demo is entered without a password. */
const NO_PASSWORD = 'none'

/**
 * Creates the demo organisations with their watch lists and users; existing ones are left unchanged. Call only where
 * SEED=sample: the passwords are in the README. `today`: ISO date in Bangkok. `expand`: derives the terms of AI words;
 * without it they match literally.
 */
export async function seedSampleOrganisations(
  db: Db,
  today = getBangkokToday(new Date()),
  expand?: KeywordExpander,
): Promise<void> {
  const passwordHash = await hashPassword(SAMPLE_PASSWORD)
  const terms = expand ? await expandWords(expand) : new Map()
  await db.transaction(async (tx) => {
    for (const organisation of SAMPLE_ORGANISATIONS)
      await seedOrganisation(tx, organisation, { passwordHash, today, terms })
  })
}

type TermsByWord = ReadonlyMap<string, readonly StoredKeywordTerm[]>

/**
 * Expands the AI words of all demo organisations. Runs before the transaction, because an expander may call another
 * service.
 */
async function expandWords(expand: KeywordExpander): Promise<TermsByWord> {
  const words = SAMPLE_ORGANISATIONS.flatMap(({ words: lists }) =>
    [lists.ai_include ?? [], lists.ai_exclude ?? []].flat(2),
  )
  const terms = new Map<string, readonly StoredKeywordTerm[]>()
  for (const word of words) terms.set(word, (await expand(word)).terms)
  return terms
}

async function seedOrganisation(
  tx: Db,
  sample: SampleOrganisation,
  { passwordHash, today, terms }: { passwordHash: string; today: string; terms: TermsByWord },
): Promise<void> {
  const thisYear = getFiscalYear(today)
  const { flags } = sample
  const organisationId = await insertOrganisation(tx, {
    code: sample.code,
    name: sample.name,
    name_key: toOrganisationKey(sample.name),
    package: sample.package,
    customer_config: customerConfig(sample, today),
    areas_with_provinces: provincesByRegion(sample.regions),
    areas_filter_report: sample.filterRegions ? provincesByRegion(sample.filterRegions) : null,
    is_access_budget_year: flags.budgetYear,
    is_access_budget_year_only: flags.budgetYearOnly,
    allow_access_budget_year: flags.budgetYear ? [thisYear - 1, thisYear].join(',') : '',
    is_company_compare: flags.companyCompare,
    is_access_company_comparison: flags.companyComparison,
    is_watchlist_completed: true,
  })
  if (organisationId === undefined) return
  for (const { id, word } of await insertSampleKeywords(tx, organisationId, keywordsOf(sample))) {
    const wordTerms = terms.get(word)
    if (wordTerms) await storeKeywordTerms(tx, id, wordTerms)
  }
  const hash = sample.code === DEMO_ORGANISATION_CODE ? NO_PASSWORD : passwordHash
  for (const user of sample.users)
    await insertUser(tx, { ...user, emailKey: toEmailKey(user.email), organisationId, passwordHash: hash })
}

const provincesByRegion = (regions: readonly Region[]) =>
  Object.fromEntries(regions.map((region) => [region, getProvincesInRegion(region)]))

function customerConfig(
  { minBudget, maxBudget, searchByAi = false }: SampleOrganisation,
  today: string,
): CustomerConfig {
  return {
    ...createDefaultCustomerConfig(today),
    min_project_budget: String(minBudget),
    max_project_budget: String(maxBudget),
    search_by_ai: searchByAi,
    end_date_report: addMonths(today, 24),
    end_date_budgetyear: addMonths(today, 24),
  }
}

function keywordsOf({ words }: SampleOrganisation): SampleKeyword[] {
  return KEYWORD_LIST_CODES.flatMap((list) =>
    (words[list] ?? []).flatMap((group) =>
      group.map((word) => ({
        list,
        word: word.replace(/^\?/, ''),
        group: group.length > 1 ? group[0]! : null,
        approved: !word.startsWith('?'),
      })),
    ),
  )
}
