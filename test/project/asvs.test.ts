import { describe, expect, test } from 'vitest'
import { findFileByShortName, readProjectFile } from './project-files.ts'

const document = readProjectFile('docs/security.md')

/** Requirement numbers of ASVS 5.0.0 by level: each section with the requirements in it. */
const NUMBERS = {
  '1': `
  1.2:1,2,3,4,5 1.3:1,2 1.5:1 2.1:1 2.2:1,2 2.3:1 3.2:1,2 3.3:1 3.4:1,2 3.5:1,2,3 4.1:1 4.4:1 5.2:1,2 5.3:1,2 6.1:1 6.2:1,2,3,4,5,6,7,8
  6.3:1,2 6.4:1,2 7.2:1,2,3,4 7.4:1,2 8.1:1 8.2:1,2 8.3:1 9.1:1,2,3 9.2:1 10.4:1,2,3,4,5 11.3:1,2 11.4:1 12.1:1 12.2:1,2 13.4:1 14.2:1
  14.3:1 15.1:1 15.2:1 15.3:1`,
  '2': `
  1.1:1,2 1.2:6,7,8,9 1.3:3,4,5,6,7,8,9,10,11 1.4:1,2,3 1.5:2 2.1:2,3 2.2:3 2.3:2,3,4 2.4:1 3.3:2,3,4 3.4:3,4,5,6 3.5:4,5 3.7:1,2 4.1:2,3
  4.2:1 4.3:1,2 4.4:2,3,4 5.1:1 5.2:3 5.4:1,2,3 6.1:2,3 6.2:9,10,11,12 6.3:3,4 6.4:3,4 6.5:1,2,3,4,5 6.6:1,2,3 6.8:1,2,3,4 7.1:1,2,3 7.3:1,2
  7.4:3,4,5 7.5:1,2 7.6:1,2 8.1:2 8.2:3 8.4:1 9.2:2,3,4 10.1:1,2 10.2:1,2 10.3:1,2,3,4 10.4:6,7,8,9,10,11 10.5:1,2,3,4,5 10.6:1,2 10.7:1,2,3
  11.1:1,2 11.2:1,2,3 11.3:3 11.4:2,3,4 11.5:1 11.6:1 12.1:2,3 12.3:1,2,3,4 13.1:1 13.2:1,2,3,4,5 13.3:1,2 13.4:2,3,4,5 14.1:1,2 14.2:2,3,4
  14.3:2,3 15.1:2,3 15.2:2,3 15.3:2,3,4,5,6,7 16.1:1 16.2:1,2,3,4,5 16.3:1,2,3,4 16.4:1,2,3 16.5:1,2,3 17.1:1 17.2:1,2,3,4 17.3:1,2`,
} as const

const numbersOf = (level: keyof typeof NUMBERS) =>
  NUMBERS[level]
    .trim()
    .split(/\s+/)
    .flatMap((part) => {
      const [section = '', numbers = ''] = part.split(':')
      return numbers.split(',').map((number) => `${section}.${number}`)
    })

type Row = {
  readonly numbers: readonly string[]
  readonly state: string
  readonly tests: readonly string[]
}
const STATES = ['met', 'n/a', 'deviates', 'open']

const rows: readonly Row[] = document
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [, numbers = '', state = '', , tests = ''] = line
      .split(' | ')
      .join('|')
      .split('|')
      .map((cell) => cell.trim())
    return {
      numbers: numbers.split(', '),
      state,
      tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, file]) => file!),
    }
  })

describe('ASVS 5.0 in docs/security.md', () => {
  test('lists each requirement of levels 1 and 2 once, with a state', () => {
    const expected = [...numbersOf('1'), ...numbersOf('2')]
    expect(new Set(expected).size).toBe(253)
    expect(rows.flatMap(({ numbers }) => numbers).toSorted()).toEqual(expected.toSorted())
    for (const { state } of rows) expect(STATES).toContain(state)
  })

  test('names tests that exist', () => {
    const named = rows.flatMap(({ tests }) => tests)
    expect(named.length).toBeGreaterThan(150)
    expect(named.filter((name) => !/\.(test|spec)\.tsx?$/.test(findFileByShortName(name) ?? ''))).toEqual([])
  })

  test('counts its states correctly', () => {
    const count = (state: string) => rows.filter((row) => row.state === state).flatMap(({ numbers }) => numbers).length
    const stated = /\b(\d{1,3}) met, (\d+) not applicable \(n\/a\), (\d+) deviate, (\d+) open/.exec(document)
    expect(stated?.slice(1).map(Number)).toEqual(STATES.map(count))
  })
})
