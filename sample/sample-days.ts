import { addDays, countDaysBetween } from '#contract/thai/thai-date.ts'
import { buildDemoFingerprint } from '#server/catalogue/feed/demo-source.ts'
import type { FeedRow } from '#server/catalogue/feed/feed-source.ts'
import type { NightlyLoadStep } from '#server/jobs/load/nightly-load.ts'
import { dayNumberToIsoDate, getNextWorkingDay, isoDateToDayNumber, isWorkingDayNumber } from './day-numbers.ts'
import { createSampleDaySource, createSampleSource } from './sample-source.ts'

/** Fixed seed, so that the demo data is the same on every machine. */
export const DEMO_DATA_RANDOM_SEED = 2569
/**
 * Maximum days by which one step advances the demo data. A longer gap is filled by regenerating the whole history,
 * which takes no longer than loading this many days.
 */
const MAX_STEP_DAYS = 31

export function findLastWorkingDay(today: string): string {
  let day = isoDateToDayNumber(today)
  while (!isWorkingDayNumber(day)) day -= 1
  return dayNumberToIsoDate(day)
}

/** Returns the load that advances the demo data to `today` or, if it is already there, to the next working day. */
export function createNextDemoDataLoadStep(lastDemoDay: string, today: string): NightlyLoadStep {
  const to = lastDemoDay < today ? today : dayNumberToIsoDate(getNextWorkingDay(isoDateToDayNumber(lastDemoDay) + 1))
  return countDaysBetween(lastDemoDay, to) > MAX_STEP_DAYS
    ? historyStep(to)
    : createDemoDateRangeLoadStep(lastDemoDay, to, today)
}

function historyStep(day: string): NightlyLoadStep {
  return {
    source: createSampleSource({ seed: DEMO_DATA_RANDOM_SEED, today: day }),
    fingerprint: buildDemoFingerprint(DEMO_DATA_RANDOM_SEED, day),
    today: day,
  }
}

/**
 * Returns a step that loads the days after `after` up to and including `to`. If the demo data is ahead of today, `to`
 * counts as today.
 */
export function createDemoDateRangeLoadStep(after: string, to: string, today: string, days?: number): NightlyLoadStep {
  async function* records(resumeAfterLine: number): AsyncGenerator<FeedRow> {
    let line = 0
    for (let day = addDays(after, 1); day <= to; day = addDays(day, 1)) {
      for await (const item of createSampleDaySource({ seed: DEMO_DATA_RANDOM_SEED, day, days }).records(0)) {
        line += 1
        if (line > resumeAfterLine) yield { ...item, line }
      }
    }
  }
  return {
    source: { name: 'sample', records },
    fingerprint: buildDemoFingerprint(DEMO_DATA_RANDOM_SEED, to),
    today: to > today ? to : today,
  }
}
