import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import { SAMPLE_ACCOUNTS, SAMPLE_ORGANISATIONS, SAMPLE_PASSWORD } from './accounts/sample-organisations.ts'
import { createNextDemoDataLoadStep } from './sample-days.ts'
import { finishDatabaseSeed, seedDatabaseWhenEmpty, seedRecentDataWhenEmpty } from './seed-when-empty.ts'

/** Everything that the server needs of the demo data. Only `server/start` imports it. */
export const demoDataSetup = {
  accounts: SAMPLE_ACCOUNTS,
  password: SAMPLE_PASSWORD,
  /** Codes of all organisations in the demo data except the demo organisation itself. */
  customerCodes: SAMPLE_ORGANISATIONS.map(({ code }) => code).filter((code) => code !== DEMO_ORGANISATION_CODE),
  nextDemoStep: createNextDemoDataLoadStep,
  seedWhenEmpty: seedDatabaseWhenEmpty,
  seedFirstPartWhenEmpty: seedRecentDataWhenEmpty,
  finishSeed: finishDatabaseSeed,
}
