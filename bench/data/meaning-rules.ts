import { readFileSync } from 'node:fs'
import path from 'node:path'
import { searchForm } from '#contract/thai/thai-text.ts'

/**
 * What is wanted of a title, for keywords drawn at random. A rule is data: alternatives by `|`, of which
 * one must stand in the title, with all its parts where they are joined by `&`; `without` is cut out of the title first (places: `ถึงสะพาน`);
 * a title with one of `never` is not wanted. A title that was read has its own label, which wins over the rule.
 */
export type KeywordRule = {
  readonly keyword: string
  readonly trade: string
  /** Settings are chosen on the one half and told about on the other. */
  readonly half: 'tune' | 'report' | 'development'
  /** Whether a title in search form is wanted. */
  readonly isWanted: (projectId: string, compact: string) => boolean
}

const FOLDER = import.meta.dirname

/** The rules in the order of the draw; within a trade the halves take turns. */
export function readKeywordRules(): KeywordRule[] {
  const read = readLabelsRead()
  const taken = new Map<string, number>()
  return tableOf('meaning-keywords.tsv').map((cells) => {
    const [keyword = '', trade = ''] = cells
    const turn = taken.get(trade) ?? 0
    taken.set(trade, turn + 1)
    return ruleOf(cells, turn % 2 === 0 ? 'tune' : 'report', read.get(keyword))
  })
}

/** The keywords that the writers of the dictionary knew; unlike the others they may be evaluated at any time. `picked`: their checked labels, by keyword and project. */
export function readDevelopmentRules(picked: ReadonlyMap<string, ReadonlyMap<string, boolean>>): KeywordRule[] {
  return tableOf('meaning-development.tsv').map((cells) => ruleOf(cells, 'development', picked.get(cells[0] ?? '')))
}

function ruleOf(
  [keyword = '', trade = '', wanted = '', without = '', never = '']: readonly string[],
  half: KeywordRule['half'],
  labels: ReadonlyMap<string, boolean> | undefined,
): KeywordRule {
  const any = wanted.split('|').map((parts) => parts.split('&').map(searchForm))
  const [cut, banned] = [without, never].map((list) => list.split('|').map(searchForm).filter(Boolean))
  return {
    keyword,
    trade,
    half,
    isWanted: (projectId, compact) => {
      const label = labels?.get(projectId)
      if (label !== undefined) return label
      if (banned!.some((text) => compact.includes(text))) return false
      let rest = compact
      for (const text of cut!) if (rest.includes(text)) rest = rest.replaceAll(text, ' ')
      return any.some((parts) => parts.every((part) => rest.includes(part)))
    },
  }
}

/** Labels of titles that were read, by keyword and project. */
function readLabelsRead(): Map<string, Map<string, boolean>> {
  const labels = new Map<string, Map<string, boolean>>()
  for (const [keyword = '', projectId = '', wanted] of tableOf('meaning-read.tsv')) {
    const own = labels.get(keyword) ?? new Map<string, boolean>()
    labels.set(keyword, own.set(projectId, wanted === '1'))
  }
  return labels
}

function tableOf(file: string): string[][] {
  const lines = readFileSync(path.join(FOLDER, file), 'utf8').split('\n').slice(1)
  return lines.filter((line) => line !== '').map((line) => line.split('\t'))
}
