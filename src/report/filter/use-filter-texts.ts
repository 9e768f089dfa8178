import {
  type FilterDisplayText,
  formatFilterParam,
  getSearchFilterTexts,
  usesTeamFilterNames,
} from '#contract/report/filter-text.ts'
import type { ReportParamName, ReportSearch } from '#contract/report/report-params.ts'
import { usePursuitSettings } from '#src/account/api/pursuit-settings.ts'
import { useUser } from '#src/account/api/users.ts'

/** Returns the texts of the filters of a search, which name the user's labels and the team's members and stages. */
export function useFilterTexts(search: ReportSearch) {
  const { project_labels: labels } = useUser()
  const { data: team } = usePursuitSettings(usesTeamFilterNames(search))
  return {
    texts: getSearchFilterTexts(search, labels, team),
    textOf: (name: ReportParamName) => formatFilterParam(name, search, labels, team),
  }
}

/** Formats a filter in one line, e.g. `จังหวัด ไม่ใช่ นนทบุรี`. */
export const describeFilter = ({ label, value, negated }: FilterDisplayText): string =>
  [label, negated && 'ไม่ใช่', value].filter(Boolean).join(' ')
