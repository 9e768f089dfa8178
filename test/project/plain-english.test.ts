import { describe, expect, test } from 'vitest'
import { PROJECT_FILES, readProjectFile } from './project-files.ts'

const code = PROJECT_FILES.filter(
  (file) =>
    /^(contract|server|src|sample|test|e2e|bench|scripts)\/.*\.tsx?$/.test(file) &&
    !/\.gen\.ts$|\.d\.ts$|architecture-fixture/.test(file),
)

/** Matches a line that is part of a comment, or that ends with one. */
const COMMENT_LINE = /^ *(?:\/\/|\/\*|\*)|(?<![:"'`])\/\/ /
const DECLARATION = /\b(?:function|const|let|class|type|interface)\s([A-Za-z_$][\w$]*)/g

/** Vague names, which state grammar or origin instead of content. */
const VAGUE_NAME =
  /^(?:held|kept|told|own|ones?|each|known|wanted|said|shown|asked|found|others?|most|those|that|which|who|whose|Asked|Held|Kept|Found|Said|Told|Listed|Standing|Opening|Room)$/
/** Vague names of limits, which are called `MAX_…` and `MIN_…` here. */
const VAGUE_LIMIT = /^(?:MOST|LEAST|LONGEST|SHORTEST|FEWEST)_/
/** Words that made comments sound translated. For every use so far there was a plainer word. */
const STILTED_WORD = /\b(?:nobody|somebody|whoever|told|stands|brought|heard|spoken)\b/i

const linesOf = (file: string) => readProjectFile(file).split('\n')

describe('plain English', () => {
  test('names declarations by their content', () => {
    const names = code.flatMap((file) =>
      linesOf(file)
        .filter((line) => !COMMENT_LINE.test(line))
        .flatMap((line) => [...line.matchAll(DECLARATION)].map((match) => [file, match[1]!] as const)),
    )
    expect(names.length).toBeGreaterThan(10_000)
    expect(names.filter(([, name]) => VAGUE_NAME.test(name) || VAGUE_LIMIT.test(name))).toEqual([])
  })

  test('writes comments without the words of a translation', () => {
    const comments = code.flatMap((file) =>
      linesOf(file)
        .filter((line) => COMMENT_LINE.test(line))
        .map((line) => [file, line] as const),
    )
    expect(comments.length).toBeGreaterThan(1_000)
    expect(comments.filter(([, comment]) => STILTED_WORD.test(comment.replaceAll(/`[^`]*`/g, '')))).toEqual([])
  })
})
