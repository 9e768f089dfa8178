import { existsSync } from 'node:fs'
import path from 'node:path'
import { EMPTY_QUALIFICATIONS, type Qualifications } from '#contract/account/qualification.ts'
import { OPEN_PROCUREMENT_METHODS, SPECIFIC_PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import { decideEligibility, type EligibilityProject } from '#contract/report/eligibility.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { createSeededRandom } from '../test/world/seeded.ts'

/**
 * Measures for how many real projects each of six profiles has a verdict other than ยังไม่รู้, and why the others have
 * none: invited methods, an answer that the profile lacks, work for which contractors may be registered, no budget.
 * Complete profiles are reported apart, because an empty one cannot be decided, nor can the exemption of registered work
 * before the documents are read.
 *
 *   npx node bench/eligibility.ts [FILE] [--read 60]
 *
 * `--read n` prints n projects drawn by seed with their verdicts, to be read by hand. Exits with 1 if complete profiles
 * decide less than 80 % of the projects, and with 2 if the file is missing.
 */
const [named] = process.argv.slice(2).filter((argument) => !argument.startsWith('--') && !/^\d+$/.test(argument))
const READ = Number(process.argv[process.argv.indexOf('--read') + 1]) || 0
const SEED = 25681
const TARGET = 0.8
const file = named ?? path.join(import.meta.dirname, '../../shared/data/egp-2568-competitive-53736.csv.gz')
if (!existsSync(file)) {
  console.error(`SKIPPED: there is no file ${file}, nothing was measured`)
  process.exit(2)
}

const MILLION = 1_000_000
const TODAY = '2026-11-29'
const PROFILES: Readonly<Record<string, { readonly isComplete: boolean; readonly answers: Partial<Qualifications> }>> =
  {
    'established company': {
      isComplete: true,
      answers: { bidder_kind: 'company', net_worth: 3 * MILLION, has_anti_corruption_policy: true },
    },
    'indebted company': {
      isComplete: true,
      answers: {
        ...{ bidder_kind: 'company', net_worth: -MILLION, credit_line: 2 * MILLION, credit_letter_on: '2026-10-15' },
        has_anti_corruption_policy: false,
      },
    },
    'new company': {
      isComplete: true,
      answers: { bidder_kind: 'new_company', paid_capital: 3 * MILLION, has_anti_corruption_policy: true },
    },
    'natural person': {
      isComplete: true,
      answers: {
        ...{ bidder_kind: 'person', credit_line: 200_000, credit_letter_on: '2026-11-01' },
        has_anti_corruption_policy: false,
      },
    },
    'no answers': { isComplete: false, answers: {} },
    // Lacks net worth, so that its verdict depends on whether the documents make the work registered.
    'indebted registered contractor': {
      isComplete: false,
      answers: {
        ...{ bidder_kind: 'company', net_worth: -MILLION, has_anti_corruption_policy: false },
        classes: [{ branch: 'งานก่อสร้างทาง', grade: 4 }],
      },
    },
  }

type Project = EligibilityProject & { readonly name: string }
const { source } = await openFeedFile(file)
const projects: Project[] = []
for await (const row of source.records(0)) {
  if (!('record' in row)) continue
  const { record } = row
  projects.push({
    name: record.name ?? '',
    method: record.method ?? '',
    method_type: record.methodType ?? '',
    budget: record.budgetSatang == null ? null : record.budgetSatang / 100,
    bidding_invite_date: record.biddingInvitedOn ?? null,
    draft_published_date: record.draftPublishedOn ?? null,
    movement_date:
      record.announcements
        ?.map(({ announcedOn }) => announcedOn)
        .toSorted()
        .at(-1) ?? null,
    submission_end_date: record.submissionEndsOn ?? null,
  })
}

function reasonOf(project: Project, checks: ReturnType<typeof decideEligibility>['checks']): string {
  if (!OPEN_PROCUREMENT_METHODS.includes(project.method) && !SPECIFIC_PROCUREMENT_METHODS.includes(project.method))
    return 'only invited bidders'
  const check = checks.find(({ outcome }) => outcome === 'unknown')
  if (check?.missing) return `no answer: ${check.missing}`
  if (check?.text.includes('ทะเบียนผู้ประกอบการ')) return `may be registered work (type "${project.method_type}")`
  return project.budget === null ? 'no budget' : (check?.text ?? '')
}

const percent = (part: number, of: number) => `${((100 * part) / of).toFixed(1)} %`
let decidedByAll = 0
const shares: { readonly isComplete: boolean; readonly share: number }[] = []
for (const [name, { isComplete, answers }] of Object.entries(PROFILES)) {
  const bidder = { ...EMPTY_QUALIFICATIONS, ...answers }
  const reasons = new Map<string, number>()
  let decided = 0
  for (const project of projects) {
    const { verdict, checks } = decideEligibility(project, bidder, TODAY)
    if (verdict !== 'unknown') decided += 1
    else {
      const reason = reasonOf(project, checks)
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    }
  }
  decidedByAll += decided
  shares.push({ isComplete, share: decided / projects.length })
  const unknown = [...reasons]
    .toSorted((a, b) => b[1] - a[1])
    .map(([reason, n]) => `${reason} ${percent(n, projects.length)}`)
  console.log(`${name}: ${percent(decided, projects.length)} decided; unknown: ${unknown.join(', ')}`)
}
const complete = shares.filter(({ isComplete }) => isComplete).map(({ share }) => share)
const mean = complete.reduce((sum, share) => sum + share, 0) / complete.length
console.log(
  `${projects.length} projects; complete profiles ${(100 * mean).toFixed(1)} %; all six ${percent(decidedByAll, projects.length * shares.length)}`,
)

const next = createSeededRandom(SEED)
for (let n = 0; n < READ; n += 1) {
  const project = projects[Math.floor(next() * projects.length)]!
  const verdicts = Object.values(PROFILES).map(
    ({ answers }) => decideEligibility(project, { ...EMPTY_QUALIFICATIONS, ...answers }, TODAY).verdict[0],
  )
  const { method, method_type: type, budget, name } = project
  console.log([verdicts.join(''), method, type || '-', budget, name.slice(0, 110)].join(' | '))
}
if (mean < TARGET) process.exitCode = 1
