import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** Folder where the test runners write their reports; vitest.config.ts and playwright.config.ts use the same one. */
export const RESULTS_FOLDER = path.join(import.meta.dirname, '../node_modules/.cache/test-results')

type Counts = {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly retried: readonly string[]
  /** Titles of failed tests, each with the first line of its error: CI keeps only the end of the log. */
  readonly failures: readonly string[]
}

type VitestReport = {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

type PlaywrightReport = {
  readonly stats: {
    readonly expected: number
    readonly unexpected: number
    readonly skipped: number
    readonly flaky: number
  }
  readonly suites: readonly PlaywrightSuite[]
}
type PlaywrightSuite = {
  readonly suites?: readonly PlaywrightSuite[]
  readonly specs: readonly {
    readonly title: string
    readonly tests: readonly {
      readonly status: string
      readonly results: readonly { readonly errors: readonly { readonly message?: string }[] }[]
    }[]
  }[]
}

const REPORTS = [
  ['units', 'unit-node.json', countVitest],
  ['components', 'unit-browser.json', countVitest],
  ['browser', 'browser.json', countPlaywright],
  ['long', 'long.json', countVitest],
  ['long browser', 'long-browser.json', countPlaywright],
] as const

/** Prints one line per runner, the tests that failed or passed only on retry, and the total as the last line. */
export function printSummary(): void {
  const summaries = REPORTS.flatMap(([name, file, count]) => {
    const full = path.join(RESULTS_FOLDER, file)
    return existsSync(full) ? [{ name, ...count(JSON.parse(readFileSync(full, 'utf8'))) }] : []
  })
  for (const { name, passed, failed, skipped, retried, failures } of summaries) {
    console.log(
      `${name}: ${passed} passed, ${failed} failed, ${skipped} skipped, ${retried.length} passed only on retry`,
    )
    for (const title of retried) console.log(`  retried: ${title}`)
    for (const failure of failures) console.log(`  failed: ${failure}`)
  }
  const sum = (what: 'passed' | 'failed') => summaries.reduce((total, counts) => total + counts[what], 0)
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
}

/** A file that failed to load counts as one failed test. */
export function countVitest({ numPassedTests, numFailedTests, numPendingTests, testResults }: VitestReport): Counts {
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((assertion) => assertion.status !== 'failed'),
  )
  const retried = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
  return {
    passed: numPassedTests,
    failed: numFailedTests + broken.length,
    skipped: numPendingTests,
    retried: retried.map(({ fullName }) => fullName),
    failures: [
      ...broken.map(({ name, message }) => describeFailure(path.basename(name), message)),
      ...testResults
        .flatMap(({ assertionResults }) => assertionResults)
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => describeFailure(fullName, failureMessages[0])),
    ],
  }
}

export function countPlaywright({ stats, suites }: PlaywrightReport): Counts {
  const specsOf = (suite: PlaywrightSuite): PlaywrightSuite['specs'] => [
    ...suite.specs,
    ...(suite.suites ?? []).flatMap(specsOf),
  ]
  const specsWith = (outcome: string) =>
    suites.flatMap(specsOf).filter(({ tests }) => tests.some(({ status }) => status === outcome))
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
    retried: specsWith('flaky').map(({ title }) => title),
    failures: specsWith('unexpected').map(({ title, tests }) =>
      describeFailure(title, tests.flatMap(({ results }) => results).flatMap(({ errors }) => errors)[0]?.message),
    ),
  }
}

function describeFailure(title: string, message = ''): string {
  return `${title}: ${stripVTControlCharacters(message).split('\n', 1)[0]}`
}

if (import.meta.main) printSummary()
