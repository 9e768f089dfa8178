import type { MatchReason } from './match-reason.ts'

/**
 * Returns the reason text for a watch word that occurs on a page of a public document but not in the project's name
 * (decision 0120).
 */
export const formatDocumentMatchReason = (word: string, page: number): string =>
  `พบคำ ‘${word}’ ในเอกสาร หน้า ${page.toLocaleString('en-US')}`

export const extractDocumentMatchReasons = (
  reasons: readonly MatchReason[],
): { readonly word: string; readonly page: number }[] =>
  reasons.flatMap(({ word, page }) => (page == null ? [] : { word, page }))
