import { readFileSync } from 'node:fs'
import path from 'node:path'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'

/**
 * Defines which titles are relevant for a randomly drawn keyword. A rule is data: alternatives separated by `|`, one of
 * which must be in the title, with all its parts where they are joined by `&`; `without` is removed from the title
 * first (place names: `ถึงสะพาน`); a title with one of `never` is unwanted. Manually labelled titles override the rule.
 */
export type KeywordRule = {
  readonly keyword: string
  readonly trade: string
  /**
   * Half of the keywords that the rule belongs to: parameters are tuned on one half, results are reported on the other.
   */
  readonly half: 'tune' | 'report' | 'development' | 'class-tune' | 'class-report'
  readonly isWanted: (projectId: string, compact: string) => boolean
}

const FOLDER = import.meta.dirname

/**
 * Reads the rules in the order in which their keywords were drawn. Within a trade they alternate between the two
 * halves.
 */
export function readKeywordRules(): KeywordRule[] {
  const read = readLabelsRead()
  return alternateHalves('meaning-keywords.tsv').map(({ cells, isFirstHalf }) =>
    ruleOf(cells, isFirstHalf ? 'tune' : 'report', read.get(cells[0]!)),
  )
}

/**
 * Reads the keywords drawn at random for each class of misses: a head noun with a modifier, a compound of parts that
 * titles name apart, a verb of work, a supply that titles name by brand or model, and a word that had no neighbours.
 * Their trade is the class.
 */
export function readClassRules(): KeywordRule[] {
  return alternateHalves('meaning-classes.tsv').map(({ cells, isFirstHalf }) =>
    ruleOf(cells, isFirstHalf ? 'class-tune' : 'class-report', undefined),
  )
}

function alternateHalves(file: string): { cells: string[]; isFirstHalf: boolean }[] {
  const counts = new Map<string, number>()
  return tableOf(file).map((cells) => {
    const trade = cells[1] ?? ''
    const count = counts.get(trade) ?? 0
    counts.set(trade, count + 1)
    return { cells, isFirstHalf: count % 2 === 0 }
  })
}

/**
 * Reads the keywords that the dictionary's authors knew. Unlike the randomly drawn ones, they may be evaluated at any
 * time. `picked`: their checked labels, by keyword and project.
 */
export function readDevelopmentRules(picked: ReadonlyMap<string, ReadonlyMap<string, boolean>>): KeywordRule[] {
  return tableOf('meaning-development.tsv').map((cells) => ruleOf(cells, 'development', picked.get(cells[0] ?? '')))
}

function ruleOf(
  [keyword = '', trade = '', alternatives = '', without = '', never = '']: readonly string[],
  half: KeywordRule['half'],
  labels: ReadonlyMap<string, boolean> | undefined,
): KeywordRule {
  const any = alternatives.split('|').map((parts) => parts.split('&').map(toNormalisedSearchText))
  const [cut, banned] = [without, never].map((list) => list.split('|').map(toNormalisedSearchText).filter(Boolean))
  return {
    keyword,
    trade,
    half,
    isWanted: (projectId, compact) => {
      const label = labels?.get(projectId)
      if (label !== undefined) return label
      if (banned!.some((text) => compact.includes(text))) return false
      let remaining = compact
      for (const text of cut!) if (remaining.includes(text)) remaining = remaining.replaceAll(text, ' ')
      return any.some((parts) => parts.every((part) => remaining.includes(part)))
    },
  }
}

function readLabelsRead(): Map<string, Map<string, boolean>> {
  const labels = new Map<string, Map<string, boolean>>()
  for (const [keyword = '', projectId = '', relevant] of tableOf('meaning-read.tsv')) {
    const keywordLabels = labels.get(keyword) ?? new Map<string, boolean>()
    labels.set(keyword, keywordLabels.set(projectId, relevant === '1'))
  }
  return labels
}

function tableOf(file: string): string[][] {
  const lines = readFileSync(path.join(FOLDER, file), 'utf8').split('\n').slice(1)
  return lines.filter((line) => line !== '').map((line) => line.split('\t'))
}
