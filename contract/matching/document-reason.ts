import type { MatchReason } from './match-reason.ts'

/** A watch word that a project does not have in its name, but on a page of a public document (decision 0120). */
export const foundInDocumentText = (word: string, page: number): string =>
  `พบคำ ‘${word}’ ในเอกสาร หน้า ${page.toLocaleString('en-US')}`

/** Those of the reasons that stand in a document, with their page. */
export const documentReasons = (reasons: readonly MatchReason[]): { readonly word: string; readonly page: number }[] =>
  reasons.flatMap(({ word, page }) => (page == null ? [] : { word, page }))
