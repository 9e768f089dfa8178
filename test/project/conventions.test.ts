import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { API_GET_PATHS, API_POST_QUERY_PATHS } from '#contract/http/api-query-paths.ts'
import { ROUTE_COSTS } from '#server/http/limit/route-costs.ts'
import { PROJECT_FILES, ROOT, readProjectFile } from './project-files.ts'

const code = PROJECT_FILES.filter(
  (file) =>
    /^(contract|sample|src|server|e2e|scripts|bench|test)\/.*\.tsx?$/.test(file) &&
    !file.startsWith('test/architecture-fixture/'),
)
const holding = (pattern: RegExp, among: string[]) => among.filter((file) => pattern.test(readProjectFile(file)))

/** True if Node.js is given code other than a literal without imports. */
const evaluatesProgram = (text: string) =>
  /['"`]--(?:input-type|eval=|print=)/.test(text) ||
  [...text.matchAll(/['"](?:--eval|--print|-e)['"]\s*[,\]]\s*('[^'\n]*'|`[^`]*`)?/g)].some(
    ([, literal]) => literal === undefined || /\b(?:import|require)\b/.test(literal),
  )

describe('code conventions', () => {
  test('apply to a non-empty code base', () => {
    expect(code.length).toBeGreaterThan(100)
  })

  test('allow reading environment and arguments of the server only in server/main.ts', () => {
    const server = code.filter((file) => file.startsWith('server/') && !/(?:\.test|-for-tests)\.ts$/.test(file))
    // The second program runs in a separate sandboxed process and receives a page number as an argument.
    const programs = ['server/main.ts', 'server/documents/picture/picture-process.ts']
    expect(holding(/process\.(env|argv)\b/, server).filter((file) => !programs.includes(file))).toEqual([])
  })

  test('forbid setting markup from text', () => {
    const browser = code.filter((file) => file.startsWith('src/') && !/\.test\.tsx?$/.test(file))
    expect(holding(/dangerouslySetInnerHTML|\.innerHTML\s*=|insertAdjacentHTML|document\.write\(/, browser)).toEqual([])
  })

  test('forbid meaningless words in folder and file names', () => {
    expect(
      code.filter((file) =>
        /(^|\/)(utils?|helpers?|common|shared|misc|types|manager|service|index)(\/|\.|$)/.test(file),
      ),
    ).toEqual([])
  })

  test('forbid focused and postponed tests', () => {
    const tests = PROJECT_FILES.filter(
      (file) => /\.(test|spec)\.tsx?$/.test(file) && file !== 'test/project/conventions.test.ts',
    )
    expect(holding(/\b(test|it|describe)\.(only|todo|fixme)\b/, tests)).toEqual([])
  })

  test('forbid programs in strings, which neither compiler nor linter checks', () => {
    for (const program of [
      "['--eval', WORKER, url]",
      "['-e', `import fs from 'node:fs'`]",
      "['--input-type=module', '-']",
    ])
      expect(program).toSatisfy(evaluatesProgram)
    expect("['-e', 'for (;;);']").not.toSatisfy(evaluatesProgram)
    // Runs the receiver that the API documentation prints.
    const exceptions = ['server/channels/api-key/api-page.test.ts', 'test/project/conventions.test.ts']
    expect(code.filter((file) => evaluatesProgram(readProjectFile(file))).toSorted()).toEqual(exceptions)
  })
})

describe('API queries', () => {
  const browser = code.filter((file) => file.startsWith('src/') && !/\.test\.tsx?$/.test(file))

  test('are made by apiQueryOptions, except those by page', () => {
    const callsApi = (file: string) => {
      const lines = readProjectFile(file).split('\n')
      return lines.some(
        (line, at) =>
          line.includes('queryFn') &&
          !line.includes('pageParam') &&
          lines.slice(at, at + 3).some((near) => near.includes('sendApiRequest(')),
      )
    }
    expect(browser.filter(callsApi)).toEqual(['src/api/http/api-query-options.ts'])
  })

  // The paths are compared with ROUTE_COSTS, which route-costs.test.ts compares with the registered routes.
  test.each([
    ['GET', API_GET_PATHS],
    ['POST', API_POST_QUERY_PATHS],
  ])('%s paths are routes of the server, sorted and in use', (method, paths: readonly string[]) => {
    const texts = browser.map(readProjectFile)
    expect(paths.filter((path) => !(`${method} /api/v2/${path.replace(/\/$/, '')}` in ROUTE_COSTS))).toEqual([])
    expect(paths.filter((path) => !texts.some((text) => text.includes(`apiQueryOptions('${path}'`)))).toEqual([])
    expect(paths).toEqual(paths.toSorted())
  })
})

describe('product texts', () => {
  // The words are written with character classes, because the test scans this file too.
  const ACCUSATIONS = new RegExp(
    [
      'frau[d]',
      // Not in the name of the policy that the law asks bidders for.
      '(?<!\u0e1b\u0e49\u0e2d\u0e07\u0e01\u0e31\u0e19\u0e01\u0e32\u0e23)\u0e17\u0e38\u0e08\u0e23\u0e34[\u0e15]',
      '\u0e2e\u0e31\u0e49[\u0e27]',
      '\u0e25\u0e47\u0e2d[\u0e01\u0e04]\u0e2a\u0e40\u0e1b[\u0e01\u0e04]',
    ].join('|'),
    'i',
  )

  test('state conspicuous awards as facts, without accusations (decision 0088)', () => {
    expect('frau'.concat('d')).toMatch(ACCUSATIONS)
    expect(
      holding(ACCUSATIONS, [...code, ...PROJECT_FILES.filter((file) => /\.(md|html|css|sql|json)$/.test(file))]),
    ).toEqual([])
  })
})

describe('documentation', () => {
  const documents = PROJECT_FILES.filter((file) => /\.md$/.test(file))
  const isRepositoryPath = (text: string) =>
    /^(contract|data|deploy|sample|src|server|e2e|scripts|bench|test|docs|public|\.ci)\/[\w./$-]+$/.test(text) &&
    !text.includes('*')

  test.each(documents)('every path that %s names exists', (document) => {
    const named = [...readProjectFile(document).matchAll(/`([^`\n]+)`|\]\(([^()#\s]+)(?:[#\s][^()]*)?\)/g)].map(
      (match) => match[1] ?? match[2]!,
    )
    const paths = named.filter(isRepositoryPath).map((name) => name.replace(/\/$/, ''))
    expect(paths.filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([])
  })

  test.each(documents)('every npm script that %s names exists', (document) => {
    const scripts = JSON.parse(readProjectFile('package.json')).scripts as Record<string, string>
    const named = [...readProjectFile(document).matchAll(/npm run ([\w:-]+)/g)].map((match) => match[1]!)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })

  test('each migration has its own number, as databases would skip a second one', () => {
    const numbers = PROJECT_FILES.flatMap(
      (file) => /^server\/platform\/engine\/migrations\/(\d{4})_/.exec(file)?.[1] ?? [],
    )
    expect(numbers.length).toBeGreaterThan(20)
    expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([])
  })

  test('each decision has its own number, and every cited decision exists', () => {
    const numbers = PROJECT_FILES.flatMap((file) => /^docs\/decisions\/(\d{4})-[\w-]+\.md$/.exec(file)?.[1] ?? [])
    expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([])
    const cited = (text: string) =>
      [...text.matchAll(/\bdecisions?[ /]((?:(?:, | and )?\d{4})+)/g)].flatMap(([, list]) => list!.match(/\d{4}/g)!)
    expect(cited('see decisions 0020, 0022 and 0025, docs/decisions/0027')).toEqual(['0020', '0022', '0025', '0027'])
    const unknown = [...code, ...documents].flatMap((file) =>
      cited(readProjectFile(file))
        .filter((number) => !numbers.includes(number))
        .map((number) => `${file}: ${number}`),
    )
    expect(unknown).toEqual([])
  })
})
