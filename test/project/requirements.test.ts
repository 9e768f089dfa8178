import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { PROJECT_FILES as allFiles, ROOT, readProjectFile } from './project-files.ts'

const files = allFiles
  .filter((file) => /\.(?:tsx?|sql|css|md)$/.test(file))
  // Skips this test, which contains made-up citations, and the document that defines the codes.
  .filter((file) => file !== 'test/project/requirements.test.ts' && file !== 'docs/requirements.md')

/**
 * Returns the part of a file that can cite. Code: comments, test titles, and strings that begin with a code (rows of `test.each`); other strings are data,
 * such as sheet cells ("D2"), project numbers ("D69-1") and icon paths ("C12 4"). Documents: everything except fenced code.
 */
function citingText(file: string, text: string): string {
  if (file.endsWith('.md')) return text.replaceAll(/^```[\s\S]*?^```/gm, '')
  if (file.endsWith('.sql')) return [...text.matchAll(/--.*$/gm)].join('\n')
  const comments = commentsOf(text)
  const titles = text.split('\n').filter((line) => /\b(?:test|describe)\b/.test(line) || /^\s+['"`][DNRC]\d/.test(line))
  // Join comment lines: "(specification" may end a line and "section 4" begin the next.
  return [...comments.map((comment) => comment.replaceAll(/\n\s*\*?\s*/g, ' ')), ...titles].join('\n')
}

function commentsOf(text: string): string[] {
  const blocks: string[] = []
  for (let start = text.indexOf('/*'); start !== -1; ) {
    const end = text.indexOf('*/', start + 2)
    if (end === -1) break
    blocks.push(text.slice(start, end + 2))
    start = text.indexOf('/*', end + 2)
  }
  const lines = text.split('\n').flatMap((line) => {
    let at = line.indexOf('//')
    while (at > 0 && ':\'"`\\'.includes(line[at - 1]!)) at = line.indexOf('//', at + 2)
    return at === -1 ? [] : [line.slice(at)]
  })
  return [...blocks, ...lines]
}

/** Numbers start at 1, so the e-GP announcement types B0, D0 and W0 do not match. */
const CODE = /(?<![\w.#/-])[DNRC][1-9]\d?(?![\w-])/g
const SECTION = /\bspecification,? sections? (\d+)(?:(?:, (\d+))* and (\d+))?/g
const PRODUCT = /\bproduct (\d(?:\.\d+)*)\b/g
/** Misspelt citations (N-4, "product reference 6.1") that the patterns above would miss. */
const MISSPELT = /(?<![\w./-])[DNR]-[1-9]\d?\b|\b(?:product|trust) (?:reference|rule)s?,? (?:section )?\d[\d.]*/g

function citationsIn(file: string, content: string): string[] {
  const text = citingText(file, content)
  const sections = [...text.matchAll(SECTION)].flatMap(([, ...numbers]) =>
    numbers.filter((number) => number !== undefined),
  )
  return [
    ...[...text.matchAll(CODE)].map(([code]) => code),
    ...sections.map((number) => `section ${number}`),
    ...[...text.matchAll(PRODUCT)].map(([, number]) => `product ${number}`),
    ...[...text.matchAll(MISSPELT)].map(([words]) => words),
  ]
}

function definedIn(document: string): string[] {
  return document.split('\n').flatMap((line) => {
    const [, section] = /^### Section (\d+): /.exec(line) ?? []
    const [, code] = /^\| ([DNRC][1-9]\d?) \|/.exec(line) ?? []
    const [, product] = /^\| (\d(?:\.\d+)*) \|/.exec(line) ?? []
    return [section && `section ${section}`, code, product && `product ${product}`].filter((name) => !!name).map(String)
  })
}

const requirements = readProjectFile('docs/requirements.md')
/** Trust rules are defined in the register of docs/security.md, whose other table numbers requirements of ASVS. */
const rules = definedIn(readProjectFile('docs/security.md')).filter((code) => /^R\d/.test(code))
const defined = [...definedIn(requirements), ...rules]
const unresolved = (file: string, content: string) =>
  [...new Set(citationsIn(file, content))]
    .filter((cited) => !defined.includes(cited))
    .map((cited) => `${file}: ${cited}`)

describe('docs/requirements.md', () => {
  test('defines every code that code, tests and documents cite', () => {
    expect(files.flatMap((file) => citationsIn(file, readProjectFile(file))).length).toBeGreaterThan(500)
    expect(files.flatMap((file) => unresolved(file, readProjectFile(file)))).toEqual([])
  })

  test('defines each number once, without gaps', () => {
    const series = (letter: string, last: number) => Array.from({ length: last }, (_, at) => `${letter}${at + 1}`)
    const codes = [...series('D', 23), ...series('N', 18), ...series('C', 32), ...series('R', 86)]
    expect(defined.filter((name) => !name.startsWith('product'))).toEqual([...series('section ', 9), ...codes])
    expect(new Set(defined).size).toBe(defined.length)
  })

  test('names existing code for each requirement, or "not built"', () => {
    const rows = requirements.split('\n').filter((line) => /^\| (?!Cited|Code|Rule|Product|`|-)/.test(line))
    expect(rows.length).toBeGreaterThan(100)
    const lastCell = (row: string) =>
      row
        .split(/(?<!\\)\|/)
        .at(-2)!
        .trim()
    expect(
      rows.filter((row) => !/^`[\w./-]+`(?: `[\w./-]+`)*$/.test(lastCell(row)) && lastCell(row) !== 'not built'),
    ).toEqual([])
    const paths = rows.flatMap((row) => [...lastCell(row).matchAll(/`([^`]+)`/g)].map(([, name]) => name!))
    expect(paths.filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([])
  })

  test('reports undefined citations in every place and form', () => {
    const past = `R${86 + 1}`
    const planted = [
      '/** As D24 says, and (specification',
      ' * section 10). Product 5.1.6 is no citation, product 5.99 is one. */',
      `test('${past}: planted', () => {}) // N19, N-4`,
      '// specification sections 5 and 11, C33 (product reference 6.1)',
    ].join('\n')
    const undefinedCitations = [
      'C33',
      'D24',
      'N-4',
      'N19',
      past,
      'product 5.99',
      'product reference 6.1',
      'section 10',
      'section 11',
    ]
    expect(new Set(unresolved('planted.ts', planted))).toEqual(
      new Set(undefinedCitations.map((cited) => `planted.ts: ${cited}`)),
    )
    expect(unresolved('planted.md', 'R99\n```\nR98\n```\n')).toEqual(['planted.md: R99'])
    expect(unresolved('planted.sql', "-- R97\nselect 'R96'")).toEqual(['planted.sql: R97'])
  })

  test('ignores data that looks like a code', () => {
    const data = [
      'const cell = \'<c r="D45"/>\'',
      "const id = 'D69-1'",
      "const path = 'M4 4C99 2'",
      '// D0, W0 and B0 of e-GP',
    ].join('\n')
    expect(citationsIn('planted.ts', data)).toEqual([])
  })
})
