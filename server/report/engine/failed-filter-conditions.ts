import type { ReportFilterName } from '#contract/report/report-params.ts'

/** Which filters each match of a tab fails. All positions refer to the tab. */
export type FailedFilterConditions = {
  /** Per match: 0 if it passes all conditions, i + 1 if it fails only condition i, `FAILS_SEVERAL` if it fails more. */
  readonly failed: Uint8Array
  /** 1 for matches excluded from the report, such as hidden ones unless the search includes them. */
  readonly isOut: Uint8Array
  /** Conditions in evaluation order: cheap ones first, then text searches, as in `buildReportFilterConditions`. */
  readonly names: readonly ReportFilterName[]
  readonly passing: Int32Array
  readonly failingOnly: readonly Int32Array[]
}

/** Counts the positions that pass every filter except `without`. Hidden matches count only if `evenHidden`. */
export function countMarkedProjectMatches(
  { failed, isOut, names }: FailedFilterConditions,
  positions: Int32Array,
  without: ReportFilterName,
  evenHidden = false,
): number {
  // If the search does not use this parameter the number is 0, which matches no condition.
  const ownNumber = names.indexOf(without) + 1
  let count = 0
  for (const position of positions)
    if ((failed[position] === 0 || failed[position] === ownNumber) && (evenHidden || isOut[position] === 0)) count += 1
  return count
}
