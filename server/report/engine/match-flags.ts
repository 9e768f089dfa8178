import type { BidState } from '#contract/catalogue/bid-state.ts'
import type { EligibilityTable } from '#server/report/eligibility/eligibility-table.ts'
import { toPackedDay } from '#server/report/packed-row.ts'
import type { PreviousReportVisit } from '#server/report/report-scope.ts'
import { findProjectRow, getReportTabPackedProjects } from './cached-matches.ts'
import { flagMatchesChangedSinceReportVisit, getBidStateAtRow } from './change-codes.ts'
import { getEligibilityVerdicts } from './eligibility-verdicts.ts'
import { findRowPosition, type ReportTabMatches } from './match-set.ts'
import {
  type CountedDayFact,
  MONEY_BIN_BIT_WIDTH,
  PACKED_NUMBERS_PER_PROJECT,
  PACKED_PROJECT_OFFSETS,
  type ProjectColumns,
  UNKNOWN_DAY_NUMBER,
} from './project-columns.ts'

type FlaggedMatches = {
  readonly tab: ReportTabMatches
  readonly columns: ProjectColumns
  readonly today: string
  readonly visit: PreviousReportVisit | undefined
  readonly eligibility: EligibilityTable | undefined
}

export type MatchFlags = ReturnType<typeof createMatchFlags>

/** Functions that flag the matches of a tab by kinds of facts: 1 for each match that passes. */
export function createMatchFlags(data: FlaggedMatches) {
  const { tab, columns } = data
  const { rows } = tab

  function byFact(offset: number, test: (fact: number) => boolean): Uint8Array {
    const facts = getReportTabPackedProjects(tab, columns)
    const passing = new Uint8Array(rows.length)
    for (let position = 0, at = offset; position < passing.length; position += 1, at += PACKED_NUMBERS_PER_PROJECT)
      if (test(facts[at]!)) passing[position] = 1
    return passing
  }

  function flagByRow(test: (row: number) => boolean): Uint8Array {
    const passing = new Uint8Array(rows.length)
    for (let at = 0; at < rows.length; at += 1) if (test(rows[at]!)) passing[at] = 1
    return passing
  }

  return {
    flagByRow,

    /** Tests numbers of `columns.kinds`; `isPassing` has one entry per number. */
    flagByKind: (isPassing: Uint8Array): Uint8Array =>
      byFact(PACKED_PROJECT_OFFSETS.kind, (kind) => isPassing[kind] === 1),

    /** Tests project province << 7 | department province. */
    flagByProvinces: (test: (provinces: number) => boolean): Uint8Array =>
      byFact(PACKED_PROJECT_OFFSETS.provincesAndBins, (fact) => test(fact >>> MONEY_BIN_BIT_WIDTH)),

    /** Tests days since 2000-01-01, inclusive; null means no bound. An unknown day never passes. */
    flagByDay(column: CountedDayFact, from: number | null, to: number | null): Uint8Array {
      const first = from ?? UNKNOWN_DAY_NUMBER + 1
      const last = to ?? Number.MAX_SAFE_INTEGER
      return byFact(PACKED_PROJECT_OFFSETS[column], (day) => day >= first && day <= last)
    },

    flagByBidState(test: (state: BidState) => boolean): Uint8Array {
      const today = toPackedDay(data.today)
      return flagByRow((row) => test(getBidStateAtRow(columns, row, today)))
    },

    /** Tests indexes into `ELIGIBILITY_VERDICTS`. */
    flagByEligibility(test: (verdict: number) => boolean): Uint8Array {
      if (!data.eligibility) throw new Error('query without qualifications')
      return getEligibilityVerdicts(tab, columns, data.eligibility).map((verdict) => Number(test(verdict)))
    },

    flagChangedSinceVisit: (): Uint8Array => flagMatchesChangedSinceReportVisit(data),

    /** Flags the matches at these positions, or all others if `negated`. */
    flagAt(lists: readonly Int32Array[], negated = false): Uint8Array {
      const passing = new Uint8Array(rows.length).fill(negated ? 1 : 0)
      for (const positions of lists) for (const position of positions) passing[position] = negated ? 0 : 1
      return passing
    },

    flagProjects(projectIds: Iterable<string>): Uint8Array {
      const passing = new Uint8Array(rows.length)
      for (const id of projectIds) {
        const row = findProjectRow(columns, id)
        const position = row === undefined ? -1 : findRowPosition(tab, row)
        if (position !== -1) passing[position] = 1
      }
      return passing
    },
  }
}
