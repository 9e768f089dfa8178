import type { MatchReason } from './match-reason.ts'

export const formatDocumentMatchReason = (word: string, page: number): string =>
  `พบคำ ‘${word}’ ในเอกสาร หน้า ${page.toLocaleString('en-US')}`

export const extractDocumentMatchReasons = (
  reasons: readonly MatchReason[],
): { readonly word: string; readonly page: number }[] =>
  reasons.flatMap(({ word, page }) => (page == null ? [] : { word, page }))
