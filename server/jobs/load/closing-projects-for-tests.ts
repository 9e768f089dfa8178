import { addDays } from '#contract/thai/thai-date.ts'
import { createListFeedSource, createTestFeedRecords } from '#server/catalogue/feed/feed-for-tests.ts'

export const TODAY = '2026-06-15'
const PROJECTS = 1_500

/** Returns a source in which bids close in 0 to 9 days, so eight of ten projects need a warning. */
export const createClosingProjectsSource = (budgetSatang: number) =>
  createListFeedSource(
    createTestFeedRecords(PROJECTS, (i) => ({ budgetSatang, submissionEndsOn: addDays(TODAY, i % 10) })),
  )
