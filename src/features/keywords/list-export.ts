import type { Keyword } from '#contract/organisation.ts'
import { guardedCell } from '#contract/spreadsheet-formula.ts'

/** The words of a list, one on a line, as bulk paste reads them. */
export function listText(keywords: readonly Keyword[]): string {
  return keywords.map(({ word }) => word).join('\n')
}

const cell = (word: string) => (/[",\n]/.test(word) ? `"${word.replaceAll('"', '""')}"` : word)

/** The same as a file for spreadsheets: the mark at its start makes Excel read Thai as Thai. */
export function listCsv(keywords: readonly Keyword[]): string {
  return `\uFEFF${keywords.map(({ word }) => `${cell(guardedCell(word))}\r\n`).join('')}`
}

/** Hands the list to the browser as a file. */
export function downloadList(name: string, keywords: readonly Keyword[]): void {
  const url = URL.createObjectURL(new Blob([listCsv(keywords)], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}.csv`
  link.click()
  URL.revokeObjectURL(url)
}
