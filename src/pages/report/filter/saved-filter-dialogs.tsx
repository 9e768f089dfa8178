import type { ComponentProps } from 'react'
import { searchWords } from '#contract/report/filter-words.ts'
import type { Label } from '#contract/user/label.ts'
import { FilterDialogs } from '#src/features/saved-filters/filter-dialogs.tsx'
import type { SavedFilterContext } from '#src/features/saved-filters/saved-filter-context.ts'

type SavedFilterDialogsProps = Omit<ComponentProps<typeof FilterDialogs>, 'context'> & {
  context: SavedFilterContext
  labels: readonly Label[]
}

/** The dialogs of the saved filters, which say a search in the words of the filter panel. */
export function SavedFilterDialogs({ context, labels, ...dialogs }: SavedFilterDialogsProps) {
  return <FilterDialogs {...dialogs} context={{ ...context, wordsOf: (search) => searchWords(search, labels) }} />
}
