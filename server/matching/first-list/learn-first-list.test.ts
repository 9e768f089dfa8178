import { expect, test } from 'vitest'
import { normaliseThai, toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { compileMatchRules, type ProjectToMatch } from '#server/matching/compile-match-rules.ts'
import { evaluateProjectMatch } from '#server/matching/evaluate-project.ts'
import { toFirstListRules } from './first-list-rules.ts'
import { createFirstListLearner, FIRST_LIST_LIMITS, type FirstList, learnFirstList } from './learn-first-list.ts'
import { findSpecificPieces } from './specific-pieces.ts'
import { listTitlePieces } from './title-pieces.ts'

let serial = 0
function project(name: string, { department = 'เทศบาลเมืองหนึ่ง', province = 40, baht = 500_000 } = {}): ProjectToMatch {
  serial += 1
  return {
    project_id: String(68_000_000_000 + serial),
    name_search: toNormalisedSearchText(name),
    name_spaced: normaliseThai(name),
    dept_name: department,
    dept_sub_name: '',
    dept_province: province,
    project_province: province,
    budget_satang: baht * 100,
    movement_on: '2025-03-03',
  }
}

const TAIL = 'โดยวิธีเฉพาะเจาะจง'
const PLACES = ['บ้านหนองแวง', 'บ้านโนนสูง', 'บ้านดอนกลาง', 'บ้านนาดี', 'บ้านห้วยทราย', 'บ้านท่าม่วง']
const OTHER_TITLES = [
  'จ้างก่อสร้างถนนคอนกรีตเสริมเหล็ก',
  'ซื้อวัสดุสำนักงาน จำนวน 12 รายการ',
  'จ้างเหมาบริการทำความสะอาดอาคาร',
  'ซื้อน้ำมันเชื้อเพลิง',
  'ซื้ออาหารเสริม (นม) โรงเรียน',
  'จ้างซ่อมแซมรถบรรทุกน้ำ',
  'ซื้อยาและเวชภัณฑ์',
  'จ้างขุดลอกคลองส่งน้ำ',
]
const cameras = (count: number, options?: Parameters<typeof project>[1]) =>
  Array.from({ length: count }, (_, index) =>
    project(`ซื้อพร้อมติดตั้งกล้องวงจรปิด ${PLACES[index % PLACES.length]} จำนวน ${index + 2} จุด ${TAIL}`, options),
  )
/** 2,000 titles of 20 agencies in 10 provinces, of which 1 % are about cameras; each represents one project in ten days. */
const background = {
  perDay: 0.1,
  projects: Array.from({ length: 2_000 }, (_, index) =>
    project(
      index % 100 === 0
        ? `จ้างติดตั้งกล้องวงจรปิด ${PLACES[index % 6]} ${TAIL}`
        : `${OTHER_TITLES[index % 8]} ${PLACES[index % 6]} ${TAIL}`,
      {
        department: `เทศบาลที่ ${index % 20}`,
        province: 40 + (Math.floor(index / 7) % 10),
        baht: 10_000 * (1 + (index % 90)),
      },
    ),
  ),
}

function findWithEngine(list: FirstList, projects: readonly ProjectToMatch[]): ProjectToMatch[] {
  const rules = compileMatchRules([toFirstListRules(1, list.items, list.gate)])
  return projects.filter((candidate) => evaluateProjectMatch(rules, candidate).length > 0)
}

test('cuts titles into phrases without the method, numbers at the ends and words that join', () => {
  const pieces = [...listTitlePieces('ประกวดราคาซื้อกล้องวงจรปิด จำนวน 12 ชุด ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding)').keys()]
  expect(pieces).toContain('กล้องวงจรปิด')
  expect(pieces.filter((piece) => /อิเล็กทรอนิกส์|bidding|^\d|\d$|^จำนวน/.test(piece))).toEqual([])
})

test('learns the words of what a company wins, with the wins that contain them', async () => {
  const wins = cameras(12)
  const list = await learnFirstList(wins, background)
  const word = list.items.find((item) => item.list === 'include' && item.word.includes('กล้องวงจรปิด'))
  expect(word?.wins).toHaveLength(12)
  expect(list.expected).toBeGreaterThan(0.8)
  expect(findWithEngine(list, cameras(5))).toHaveLength(5)
})

test('finds with the engine exactly the wins that it states', async () => {
  const wins = [
    ...cameras(6),
    ...OTHER_TITLES.slice(0, 4).map((title) => project(`${title} ${TAIL}`, { province: 41 })),
  ]
  const list = await learnFirstList(wins, background)
  const stated = new Set(list.items.flatMap((item) => item.wins))
  const matchedWins = findWithEngine({ ...list, gate: { ...list.gate, provinces: undefined, minSatang: 0 } }, wins)
  expect(matchedWins.map((win) => wins.indexOf(win))).toEqual([...stated].sort((a, b) => a - b))
})

test('spends no more projects a day than allowed, and more wins are expected with more of them', async () => {
  const wins = OTHER_TITLES.flatMap((title) =>
    PLACES.map((place, index) => project(`${title} ${place} ${TAIL}`, { department: `เทศบาลที่ ${index}` })),
  )
  const lists = await Promise.all(
    [2, 10, 40].map((maxPerDay) => learnFirstList(wins, background, { ...FIRST_LIST_LIMITS, maxPerDay })),
  )
  for (const [index, maxPerDay] of [2, 10, 40].entries())
    expect(findWithEngine(lists[index]!, background.projects).length * background.perDay).toBeLessThanOrEqual(maxPerDay)
  expect(lists[1]!.expected).toBeGreaterThan(lists[0]!.expected)
  expect(lists[2]!.expected).toBeGreaterThanOrEqual(lists[1]!.expected)
})

test('keeps to the limits of the lists and leaves out words that may not be watched', async () => {
  const wins = [...cameras(6), ...OTHER_TITLES.map((title) => project(`${title} ${TAIL}`))]
  const list = await learnFirstList(wins, background, {
    maxPerDay: 40,
    maxWords: 2,
    maxAgencies: 0,
    blacklist: new Set(['กล้องวงจรปิด']),
  })
  expect(list.items.length).toBeLessThanOrEqual(2)
  expect(list.items.map(({ list: name, word }) => [name, word])).not.toContainEqual(['include', 'กล้องวงจรปิด'])
  expect(list.items.every((item) => item.list === 'include')).toBe(true)
})

test('watches an agency that buys different things from one company', async () => {
  const wins = OTHER_TITLES.map((title) => project(`${title} ${TAIL}`, { department: 'โรงพยาบาลสอง' }))
  const list = await learnFirstList(wins, background)
  expect(list.items[0]).toMatchObject({ list: 'deptsub_include', word: 'โรงพยาบาลสอง' })
})

test('learns from the first wins the list that it learns without the later ones', async () => {
  const wins = [
    ...cameras(6),
    ...OTHER_TITLES.map((title) => project(`${title} ${TAIL}`, { province: 41 })),
    ...cameras(4, { department: 'โรงพยาบาลสอง' }),
  ]
  const learner = await createFirstListLearner(wins, background)
  for (const count of [1, 6, 10, wins.length]) {
    const { gate, ...list } = await learnFirstList(wins.slice(0, count), background)
    const { gate: sharedGate, ...shared } = await learner.learn(count)
    expect(shared).toEqual(list)
    expect(sharedGate.chances).toEqual(gate.chances)
  }
})

test('learns from a single win', async () => {
  const list = await learnFirstList(cameras(1), background)
  expect(list.items.length).toBeGreaterThan(0)
  expect(list.expected).toBeLessThan(0.9)
})

test('offers for a title the phrase that is rare but not unique', () => {
  const titles = [project(`ซื้อกล้องวงจรปิดความละเอียดสูงพิเศษ ${TAIL}`), project('')]
  const rare = [
    ...background.projects.filter(({ name_search }) => !name_search.includes('กล้อง')),
    project(`ซื้อกล้องวงจรปิด ${TAIL}`),
  ]
  const [piece, none] = findSpecificPieces(titles, rare, new Set())
  expect(piece).toContain('กล้องวงจรปิด')
  expect(none).toBeUndefined()
})
