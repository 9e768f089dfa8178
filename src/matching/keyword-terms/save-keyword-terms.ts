import type { KeywordTermSelection } from '#contract/matching/keyword-term.ts'
import type { ChangedKeywordTerm } from '#contract/matching/term-changes.ts'
import { changeKeywordTerms } from '#src/matching/api/keyword-terms.ts'
import { showDoneToast, showFailureToast } from '#src/ui/overlay/outcome-toasts.ts'

type KeywordTermsEdit = {
  readonly keywordId: number
  readonly change: KeywordTermSelection
  readonly gained?: readonly ChangedKeywordTerm[]
  readonly failed: string
  readonly done?: string | undefined
  readonly undo?: KeywordTermsEdit
}

/** Changes the terms of a keyword. The toast of a failure offers to retry, and that of a success to undo. */
export function saveKeywordTerms(edit: KeywordTermsEdit): void {
  const { keywordId, change, gained, failed, done, undo } = edit
  changeKeywordTerms(keywordId, change, gained).then(
    () => done !== undefined && showDoneToast(done, undo && (() => saveKeywordTerms(undo))),
    (error: unknown) => showFailureToast(failed, error, () => saveKeywordTerms(edit)),
  )
}
