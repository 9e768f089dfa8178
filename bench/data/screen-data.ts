import type { CustomerConfig } from '#contract/account/organisation.ts'
import { getProvincesInRegion, REGIONS } from '#contract/thai/province.ts'
import { addMonths, getBangkokToday } from '#contract/thai/thai-date.ts'
import { insertSampleKeywords } from '#sample/accounts/queries-sample.ts'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { seedDatabaseWhenEmpty } from '#sample/seed-when-empty.ts'
import { createDefaultCustomerConfig } from '#server/account/organisation/build-trial-organisation.ts'
import { insertOrganisation, insertUser } from '#server/account/organisation/new-account.ts'
import type { CommandLineOutput } from '#server/cli/terminal.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openDb } from '#server/platform/engine/open-db.ts'
import { releaseAllLeases } from '#server/platform/queue/queries.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'

export const BENCH_USER = { email: 'bench@screen.example', password: SAMPLE_PASSWORD }
const WORDS = ['ซื้อ', 'จ้าง', 'ก่อสร้าง', 'เช่า', 'ปรับปรุง']
const EVERYWHERE = Object.fromEntries(REGIONS.map(({ code }) => [code, getProvincesInRegion(code)]))

/**
 * Fills a data folder with the demo data and one organisation whose words match most of it, unless it already exists.
 */
export async function ensureScreenData(dataDir: string, terminal: CommandLineOutput): Promise<void> {
  const db = await openDb({ dataDir })
  try {
    await migrateDatabase(db)
    await releaseAllLeases(db)
    // The organisation is added before the demo data loads, so that its projects are matched as in a nightly load and
    // are not all New.
    await addOrganisation(db)
    await seedDatabaseWhenEmpty(db, terminal)
  } finally {
    await db.close()
  }
}

async function addOrganisation(db: Db): Promise<void> {
  const organisationId = await insertOrganisation(db, {
    code: 'bench-screen',
    name: 'bench',
    name_key: 'bench',
    package: 'bench',
    customer_config: customerConfig(getBangkokToday(new Date())),
    areas_with_provinces: EVERYWHERE,
    areas_filter_report: null,
    is_access_budget_year: false,
    is_access_budget_year_only: false,
    allow_access_budget_year: '',
    is_company_compare: false,
    is_access_company_comparison: false,
    is_watchlist_completed: true,
  })
  if (organisationId === undefined) return
  const keywords = WORDS.map((word) => ({ list: 'include' as const, word, group: 'bench', approved: true }))
  await insertSampleKeywords(db, organisationId, keywords)
  const passwordHash = await hashPassword(BENCH_USER.password)
  await insertUser(db, {
    organisationId,
    email: BENCH_USER.email,
    emailKey: BENCH_USER.email,
    passwordHash,
    firstName: 'Bench',
    lastName: 'Screen',
    role: 'super_user',
  })
}

function customerConfig(today: string): CustomerConfig {
  const to = addMonths(today, 24)
  return {
    ...createDefaultCustomerConfig(today),
    search_by_deptsub: false,
    end_date_report: to,
    end_date_budgetyear: to,
  }
}
