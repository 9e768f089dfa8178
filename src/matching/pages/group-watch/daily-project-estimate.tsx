import { useQuery } from '@tanstack/react-query'
import type { Organisation } from '#contract/account/organisation.ts'
import { useDebouncedText } from '#src/lib/use-debounced-text.ts'
import { starterKeywordsQuery } from '#src/matching/api/finish-keyword-setup.ts'
import { useKeywordPreview } from '#src/matching/api/keyword-impact.ts'
import { formatProjectsPerDay } from '#src/matching/keyword-impact/impact-text.ts'
import type { WatchListSetupDraft } from './watch-list-setup-draft.ts'
import { hasWatchCriteria, mergeSuggestedSetupKeywords, toSetupPreviewRequest } from './watch-list-setup-keywords.ts'

type DailyFigureProps = {
  draft: WatchListSetupDraft
  organisation: Organisation
  /** True while the draft has no word groups; then the starter words of the chosen types are counted. */
  isByTypes: boolean
}

/**
 * Shows how many projects per working day the draft would match, counted over the last 30 days and debounced. Renders
 * nothing without data or before the first count.
 */
export function DailyProjectEstimate({ draft, organisation, isByTypes }: DailyFigureProps) {
  const types = useDebouncedText(isByTypes ? draft.types.join(',') : '')
  const starters = useQuery({ ...starterKeywordsQuery(types.split(',').map(Number)), enabled: types !== '' })
  const groups = isByTypes && types !== '' ? starters.data?.groups : undefined
  const countedDraft = groups ? { ...draft, groups: mergeSuggestedSetupKeywords(draft, groups, organisation) } : draft
  const canCount = (!isByTypes || groups !== undefined) && hasWatchCriteria(countedDraft, organisation)
  const current = JSON.stringify(toSetupPreviewRequest(countedDraft))
  const debounced = useDebouncedText(current)
  const isDebounced = canCount && debounced === current
  const preview = useKeywordPreview(JSON.parse(debounced), { enabled: isDebounced })
  const { data } = preview
  const isNothing = isByTypes ? draft.types.length === 0 : !canCount
  if (data === undefined || data.looked_at === 0 || isNothing) return null
  const isOld = !isDebounced || preview.isPlaceholderData
  return (
    <span aria-busy={isOld} className={isOld ? 'opacity-60' : undefined}>
      ราว <span className="tabular-nums">{formatProjectsPerDay(data.per_working_day)}</span> โครงการต่อวันทำการ
    </span>
  )
}
