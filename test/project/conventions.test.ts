import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
/** Files of the project as git sees them: committed and new, without the ignored. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(path.join(root, file)))
const code = files.filter(
  (file) =>
    /^(contract|sample|src|server|e2e|scripts|bench|test)\/.*\.tsx?$/.test(file) &&
    !file.startsWith('test/architecture-fixture/'),
)
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const holding = (pattern: RegExp, among: string[]) => among.filter((file) => pattern.test(read(file)))

describe('the code keeps its conventions', () => {
  test('there is code to check', () => {
    expect(code.length).toBeGreaterThan(100)
  })

  test('only server/main.ts reads the environment and the arguments of the server', () => {
    const server = code.filter((file) => file.startsWith('server/') && !/\.test\.ts$/.test(file))
    // The second is a program of its own, confined, which is told a number of a page.
    const programs = ['server/main.ts', 'server/documents/picture/picture-process.ts']
    expect(holding(/process\.(env|argv)\b/, server).filter((file) => !programs.includes(file))).toEqual([])
  })

  test('no markup is set from text', () => {
    const browser = code.filter((file) => file.startsWith('src/') && !/\.test\.tsx?$/.test(file))
    expect(holding(/dangerouslySetInnerHTML|\.innerHTML\s*=|insertAdjacentHTML|document\.write\(/, browser)).toEqual([])
  })

  test('no folder or file is called by a word that says nothing', () => {
    expect(
      code.filter((file) =>
        /(^|\/)(utils?|helpers?|common|shared|misc|types|manager|service|index)(\/|\.|$)/.test(file),
      ),
    ).toEqual([])
  })

  test('tests are neither focused nor left for later', () => {
    const tests = files.filter(
      (file) => /\.(test|spec)\.tsx?$/.test(file) && file !== 'test/project/conventions.test.ts',
    )
    expect(holding(/\b(test|it|describe)\.(only|todo|fixme)\b/, tests)).toEqual([])
  })
})

describe('what the product says', () => {
  // By their letters: this file is looked at too.
  const ACCUSATIONS = new RegExp(
    [
      'frau[d]',
      '\u0e17\u0e38\u0e08\u0e23\u0e34[\u0e15]',
      '\u0e2e\u0e31\u0e49[\u0e27]',
      '\u0e25\u0e47\u0e2d[\u0e01\u0e04]\u0e2a\u0e40\u0e1b[\u0e01\u0e04]',
    ].join('|'),
    'i',
  )

  test('accuses nobody: what stands out in awards is said as a fact, in the screens, the code and the documents (decision 0088)', () => {
    expect('frau'.concat('d')).toMatch(ACCUSATIONS)
    expect(holding(ACCUSATIONS, [...code, ...files.filter((file) => /\.(md|html|css|sql|json)$/.test(file))])).toEqual(
      [],
    )
  })
})

describe('the documents are true', () => {
  const documents = files.filter((file) => /\.md$/.test(file))
  const isOurs = (text: string) =>
    /^(contract|data|deploy|sample|src|server|e2e|scripts|bench|test|docs|public|\.ci)\/[\w./$-]+$/.test(text) &&
    !text.includes('*')

  test.each(documents)('every path that %s names exists', (document) => {
    const named = [...read(document).matchAll(/`([^`\n]+)`|\]\(([^()#\s]+)(?:[#\s][^()]*)?\)/g)].map(
      (match) => match[1] ?? match[2]!,
    )
    const paths = named.filter(isOurs).map((name) => name.replace(/\/$/, ''))
    expect(paths.filter((name) => !existsSync(path.join(root, name)))).toEqual([])
  })

  test.each(documents)('every npm script that %s names exists', (document) => {
    const scripts = JSON.parse(read('package.json')).scripts as Record<string, string>
    const named = [...read(document).matchAll(/npm run ([\w:-]+)/g)].map((match) => match[1]!)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })

  test('each migration has a number of its own: of two with the same, a database would take the first and never know the other', () => {
    const numbers = files.flatMap((file) => /^server\/platform\/engine\/migrations\/(\d{4})_/.exec(file)?.[1] ?? [])
    expect(numbers.length).toBeGreaterThan(20)
    expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([])
  })

  test('each decision has a number of its own, and every decision that is cited exists', () => {
    const numbers = files.flatMap((file) => /^docs\/decisions\/(\d{4})-[\w-]+\.md$/.exec(file)?.[1] ?? [])
    expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([])
    const cited = (text: string) =>
      [...text.matchAll(/\bdecisions?[ /]((?:(?:, | and )?\d{4})+)/g)].flatMap(([, list]) => list!.match(/\d{4}/g)!)
    expect(cited('see decisions 0020, 0022 and 0025, docs/decisions/0027')).toEqual(['0020', '0022', '0025', '0027'])
    const unknown = [...code, ...documents].flatMap((file) =>
      cited(read(file))
        .filter((number) => !numbers.includes(number))
        .map((number) => `${file}: ${number}`),
    )
    expect(unknown).toEqual([])
  })
})
