import { expect, test } from 'vitest'
import { normaliseThai } from '#contract/thai/thai-text.ts'
import { type FitEvidenceKind, type FitExample, learnFitProfile, mergeFitExamples } from './learn-fit-profile.ts'
import { type FitCandidate, scoreFit } from './score-fit.ts'

const PROJECT: FitCandidate = {
  project_id: '1',
  name_spaced: normaliseThai('ประกวดราคาซื้อกล้องวงจรปิดพร้อมติดตั้ง'),
  dept_name: 'กรมชลประทาน',
  agency: 'กรมชลประทาน',
  dept_sub_name: '',
  dept_province: null,
  project_province: 50,
  budget_satang: 100_000_000,
  daysLeft: 9,
}
const named = (name: string, change: Partial<FitCandidate> = {}): FitCandidate => ({
  ...PROJECT,
  project_id: 'candidate',
  name_spaced: normaliseThai(name),
  ...change,
})
const example = (id: number, kind: FitEvidenceKind = 'won', change: Partial<FitCandidate> = {}): FitExample => ({
  kind,
  project: { ...PROJECT, project_id: `example-${id}`, ...change },
})
const WINS = [example(1), example(2), example(3), example(4)]
const profile = learnFitProfile(WINS)!
const score = (project: FitCandidate, by = profile) => scoreFit(by, project).hundredths

test('learns nothing from fewer than three wanted projects', () => {
  expect(learnFitProfile([example(1), example(2), example(3, 'hidden')])).toBeUndefined()
  expect(learnFitProfile([example(1), example(2, 'bid'), example(3, 'starred')])).toBeDefined()
})

test.each([
  ['the name', named('จ้างก่อสร้างถนนคอนกรีตเสริมเหล็ก')],
  ['the agency', named(PROJECT.name_spaced, { dept_name: 'กรมทางหลวง', agency: 'กรมทางหลวง' })],
  ['the province', named(PROJECT.name_spaced, { project_province: 90 })],
  ['the budget', named(PROJECT.name_spaced, { budget_satang: 50_000_000_000 })],
  ['the days left', named(PROJECT.name_spaced, { daysLeft: 1 })],
])('prefers a project that equals the wins to one that differs in %s', (_, other) => {
  expect(score(named(PROJECT.name_spaced))).toBeGreaterThan(score(other))
})

test('a neighbouring province is closer than one of another region', () => {
  const inProvince = (code: number) => score(named(PROJECT.name_spaced, { project_province: code }))
  expect(inProvince(51)).toBeGreaterThan(inProvince(90))
})

test('gives the three largest reasons, and none for a project without anything in common', () => {
  const { hundredths, reasons } = scoreFit(profile, named(PROJECT.name_spaced))
  expect(hundredths).toBeGreaterThan(8_000)
  expect(reasons).toHaveLength(3)
  expect(reasons[0]).toMatchObject({ kind: 'words', words: expect.arrayContaining(['กล้องวงจรปิด']) })
  expect(reasons).toContainEqual({
    kind: 'agency',
    agency: 'กรมชลประทาน',
    counts: { won: 4, bid: 0, starred: 0 },
  })
  const unrelated = named('จ้างซ่อมหลังคาโรงอาหาร', {
    dept_name: 'โรงเรียนบ้านนา',
    agency: 'โรงเรียนบ้านนา',
    project_province: 90,
    budget_satang: 50_000_000_000,
  })
  expect(scoreFit(profile, unrelated).reasons).toEqual([])
})

const bodyIn = (province: 'น่าน' | 'สุรินทร์') => ({
  dept_name: 'องค์การบริหารส่วนตำบลดู่',
  agency: `องค์การบริหารส่วนตำบลดู่ จ.${province}`,
  dept_province: province === 'น่าน' ? 55 : 32,
})
const schoolIn = (dept_province: number) => ({
  dept_name: 'สำนักงานการศึกษา',
  agency: 'สำนักงานการศึกษา',
  dept_sub_name: 'โรงเรียนบ้านดู่',
  dept_province,
})

test('a local government counts apart from one of the same name in another province', () => {
  const learned = learnFitProfile([1, 2, 3].map((id) => example(id, 'won', bodyIn('น่าน'))))!
  const [same, namesake] = [named(PROJECT.name_spaced, bodyIn('น่าน')), named(PROJECT.name_spaced, bodyIn('สุรินทร์'))]
  expect(score(same, learned)).toBeGreaterThan(score(namesake, learned))
  const agencies = (project: FitCandidate) =>
    scoreFit(learned, project).reasons.flatMap((reason) => (reason.kind === 'agency' ? [reason.agency] : []))
  expect(agencies(same)).toEqual(['องค์การบริหารส่วนตำบลดู่ จ.น่าน'])
  expect(agencies(namesake)).toEqual([])
})

test('a school of the same name in another province counts for its department, not for itself', () => {
  const learned = learnFitProfile([1, 2, 3].map((id) => example(id, 'won', schoolIn(55))))!
  const scores = [
    named(PROJECT.name_spaced, schoolIn(55)),
    named(PROJECT.name_spaced, schoolIn(32)),
    named(PROJECT.name_spaced, { ...schoolIn(32), dept_name: 'กรมอื่น', agency: 'กรมอื่น' }),
  ].map((project) => score(project, learned))
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  expect(new Set(scores).size).toBe(3)
})

test('projects that were hidden or declined lower what resembles them', () => {
  const roads = 'จ้างก่อสร้างถนนคอนกรีตเสริมเหล็ก'
  const withRoads = [...WINS, example(5, 'won', { name_spaced: roads })]
  const rejected = [6, 7, 8].map((id) =>
    example(id, 'hidden', { name_spaced: roads, dept_name: 'เทศบาล', agency: 'เทศบาล' }),
  )
  const before = score(named(roads), learnFitProfile(withRoads)!)
  expect(score(named(roads), learnFitProfile([...withRoads, ...rejected])!)).toBeLessThan(before)
})

test('the project itself counts: a star raises it, a decision not to bid lowers it', () => {
  const plain = score(named(PROJECT.name_spaced))
  const marked = (kind: FitEvidenceKind) => {
    const candidate = named(PROJECT.name_spaced)
    return scoreFit(learnFitProfile([...WINS, { kind, project: candidate }])!, candidate)
  }
  expect(marked('starred').hundredths).toBeGreaterThan(plain)
  expect(marked('starred').reasons).toContainEqual({ kind: 'marked', mark: 'starred' })
  expect(marked('no_bid').hundredths).toBeLessThan(plain)
})

test('a project with several marks is one example of the strongest', () => {
  const merged = mergeFitExamples([
    example(1, 'hidden'),
    example(1, 'starred'),
    example(1, 'won'),
    example(2, 'no_bid'),
  ])
  expect(merged.map(({ kind }) => kind)).toEqual(['won', 'no_bid'])
})
