import { afterEach, describe, expect, test, vi } from 'vitest'
import { findRegularExpressions, type Pattern } from '../regular-expressions/find-regular-expressions.ts'
import { checkPatterns } from '../regular-expressions/regular-expression-verdicts.ts'
import { PROJECT_FILES, readProjectFile } from './project-files.ts'

/** Patterns that the checker cannot decide, and why they are safe. */
const UNDECIDED: Readonly<Record<string, string>> = {}

/**
 * Product files that build a pattern at run time, from constants of their module only (R30). `load` evaluates the module, so that the test can examine
 * the resulting patterns.
 */
const MADE: Readonly<Record<string, { readonly reason: string; readonly load: () => Promise<unknown> }>> = {
  'contract/catalogue/agency-name.ts': {
    reason: 'the kinds of local bodies',
    load: () => import('#contract/catalogue/agency-name.ts'),
  },
  'contract/catalogue/company-name-part.ts': {
    reason: 'the codes of signs in an address',
    load: () => import('#contract/catalogue/company-name-part.ts'),
  },
  'contract/catalogue/natural-person.ts': {
    reason: 'titles, ranks and trades; what may surround a number',
    load: () => import('#contract/catalogue/natural-person.ts'),
  },
  'contract/search/search-highlight.ts': {
    reason: 'what is normalised as one piece, for texts of two kinds',
    load: () => import('#contract/search/search-highlight.ts'),
  },
  'contract/search/search-characters.ts': {
    reason: 'operators with a gap in the middle',
    load: () => import('#contract/search/search-characters.ts'),
  },
  'contract/thai/thai-text.ts': {
    reason: 'the signs that are typed as another one',
    load: () => import('#contract/thai/thai-text.ts'),
  },
  'server/market/budget/places.ts': {
    reason: 'one of the words for kinds of places, with a name behind it',
    load: () => import('#server/market/budget/places.ts'),
  },
  'server/market/budget/replace-budget-year.ts': {
    reason: 'the names of the provinces',
    load: () => import('#server/market/budget/replace-budget-year.ts'),
  },
  'server/documents/facts/find-document-mismatch.ts': {
    reason: 'the words for kinds of purchase that a title begins with',
    load: () => import('#server/documents/facts/find-document-mismatch.ts'),
  },
  'server/catalogue/feed/feed-vocabulary.ts': {
    reason: 'the names of the provinces',
    load: () => import('#server/catalogue/feed/feed-vocabulary.ts'),
  },
  'server/matching/meaning/to-loan-word-spelling-key.ts': {
    reason: 'the letters that are spelt in two ways',
    load: () => import('#server/matching/meaning/to-loan-word-spelling-key.ts'),
  },
  'contract/screen.ts': {
    reason: 'the paths of the screens',
    load: () => import('#contract/screen.ts'),
  },
}

/** Safe patterns that PostgreSQL evaluates: constants, and the result of a function that escapes every character. */
const IN_SQL = [
  { file: 'server/catalogue/feed/person/queries.ts', code: 'ID_PATTERN' },
  { file: 'server/catalogue/feed/person/queries.ts', code: '`${ID_PATTERN}|${OWNER_PATTERN}`' },
  { file: 'server/catalogue/intake/agency-probes.ts', code: 'REGULAR_CODE_PATTERN' },
  { file: 'server/jobs/load/recompute-search-forms.test.ts', code: 'STALE_NORMALISED_TEXT_PATTERN' },
  { file: 'server/platform/text/agency-sql.ts', code: 'LOCAL_GOVERNMENT_PATTERN' },
  { file: 'server/platform/text/search-sql.ts', code: 'boundaryPattern(term)' },
  { file: 'server/platform/text/search-sql.ts', code: 'boundaryPattern(term)' },
  { file: 'server/team/results/results.test.ts', code: 'LOCAL_GOVERNMENT_PATTERN' },
  { file: 'server/team/results/results.test.ts', code: 'LOCAL_GOVERNMENT_PATTERN' },
]

const findings = PROJECT_FILES.filter((file) => /\.[cm]?[jt]sx?$/.test(file)).map((file) =>
  findRegularExpressions(file, readProjectFile(file)),
)
const written = findings.flatMap((file) => file.written)

const isOfTests = (file: string) => /^(?:e2e|test|bench)\/|(?:\.test|-for-tests)\.tsx?$/.test(file)

async function complaints(patterns: readonly (Pattern & { readonly at?: string })[]): Promise<string[]> {
  const verdicts = await checkPatterns(patterns)
  return patterns.flatMap(({ source, flags, at = '' }, index) => {
    const { status, reason } = verdicts[index]!
    const isAllowed = status === 'safe' || (status === 'unknown' && source in UNDECIDED)
    return isAllowed ? [] : [`${at} /${source}/${flags} ${status}: ${reason}`]
  })
}

describe('R31: regular expressions are linear', () => {
  // The test takes 40 s without cached verdicts (node_modules/.cache), and ten times as long where the checker's native
  // program cannot run.
  test('every regular expression of the repository runs in linear time', {
    timeout: 900_000,
  }, async () => {
    expect(written.length).toBeGreaterThan(1000)
    expect(await complaints(written)).toEqual([])
  })

  test('rejects well-known vulnerable expressions', async () => {
    const bad = [String.raw`([\w\.\-])+\@(([..])+\.)+`, String.raw`([ก-๙a-zA-Z]+\s?)+$`, String.raw`\s+$`]
    const literals = bad.map((source) => `if (/${source}/.test(text)) text.match('${source.replaceAll('\\', '\\\\')}')`)
    const planted = findRegularExpressions(
      'planted.ts',
      `${literals.join('\n')}\nnew RegExp('(a*)*b', 'u')\nRegExp(String.raw\`(x+x+)+y\`)`,
    )
    expect(planted.written).toHaveLength(8)
    const verdicts = await checkPatterns(planted.written)
    expect(verdicts.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 'vulnerable'))
  }, 120_000)

  test('undecided expressions have a reason and still exist', () => {
    const sources = new Set(written.map(({ source }) => source))
    expect(Object.entries(UNDECIDED).filter(([source, reason]) => !sources.has(source) || reason === '')).toEqual([])
  })
})

describe('R30: no regular expression is built from user text', () => {
  const made = findings.flatMap((file) => file.made).filter(({ file }) => !isOfTests(file))

  test('only the listed files build patterns at run time', () => {
    expect([...new Set(made.map(({ file }) => file))].toSorted()).toEqual(Object.keys(MADE).toSorted())
  })

  test('finds patterns that are built at run time', () => {
    const planted = findRegularExpressions(
      'planted.tsx',
      'const a = new RegExp(typed)\nconst b = RegExp(`^${typed}`, "u")',
    )
    expect(planted.made.map(({ at, code }) => [at, code])).toEqual([
      ['planted.tsx:1', 'new RegExp(typed)'],
      ['planted.tsx:2', 'RegExp(`^${typed}`, "u")'],
    ])
  })

  describe('the resulting patterns', () => {
    afterEach(() => {
      vi.unstubAllGlobals()
      vi.resetModules()
    })

    test.each(Object.entries(MADE))('of %s are linear', async (_file, { load }) => {
      const made: Pattern[] = []
      const NativeRegExp = RegExp
      vi.resetModules()
      vi.stubGlobal(
        'RegExp',
        new Proxy(NativeRegExp, {
          construct(_target, [source, flags]: [string, string?]) {
            made.push({ source: String(source), flags: flags ?? '' })
            return new NativeRegExp(source, flags)
          },
        }),
      )
      await load()
      vi.unstubAllGlobals()
      expect(made.length).toBeGreaterThan(0)
      expect(await complaints(made)).toEqual([])
    })
  })

  test('PostgreSQL gets only constant or escaped patterns', () => {
    const inSql = findings.flatMap((file) => file.inSql).map(({ file, code }) => ({ file, code }))
    expect(inSql).toEqual(IN_SQL)
    const planted = findRegularExpressions('planted.ts', 'sql`where name ~* ${typed} and regexp_replace(a, ${b}, c)`')
    expect(planted.inSql.map(({ code }) => code)).toEqual(['typed', 'b'])
  })
})
