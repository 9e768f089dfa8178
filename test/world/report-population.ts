import sql, { raw } from 'sql-template-tag'
import type { DataIssue } from '#contract/catalogue/data-issue.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { putDocuments } from './read-documents.ts'
import { addLoad, addOrganisation, addUser, type ProjectInput, putProjects } from './report-world.ts'
import { createSeededRandom } from './seeded.ts'

export const TODAY = '2026-11-21'

/**
 * Project names that are difficult for searches: LIKE and grammar characters, blanks, Latin next to Thai, tone order,
 * digits.
 */
const NAMES = [
  'ประกวดราคาซื้อกล้องวงจรปิด ชนิดเครือข่าย จำนวน 10 ตัว',
  'จ้างซ่อมกล้อง วงจรปิด (CCTV) อาคาร A',
  'ซื้อระบบITกลาง ส่วนลด 10% ปี 2569',
  'ซื้อ capital_goods สำหรับกล้อง\\ทดสอบ',
  'เช่าเครื่องคอมพิวเตอร์ 100 เครื่อง "รุ่นพิเศษ"',
  'ซื้อยางรถยนต์ 4 เส้น C# | ## ทดสอบ',
  'ซื้อยาและเวชภัณฑ์ กล้องจุลทรรศน์',
  'จ้างก่อสร้างถนน คสล. หมู่ที่ ๑๐',
]
const DEPTS = [
  ['กรุงเทพมหานคร', 'สำนักการระบายน้ำ', 10],
  ['มหาวิทยาลัยตัวอย่าง', 'คณะวิศวกรรมศาสตร์', 50],
  ['กรมไร้ที่ตั้ง', '', null],
  ['เทศบาลเมือง ABC', 'กองช่าง', 30],
  // Bodies of one name in two provinces, and one whose province is unknown.
  ['เทศบาลเมือง ABC', 'กองคลัง', 50],
  ['เทศบาลเมือง ABC', '', null],
] as const
const WINNERS = [
  { winner: null },
  { winner: null },
  { winner: 'บริษัท ตัวอย่าง ก จำกัด' },
  { winner: 'ABC Trading Co., Ltd.' },
  { winner: 'ห้างหุ้นส่วนจำกัด ข' },
  { winner: 'บริษัท ตัวอย่าง ก จำกัด', otherWinners: ['ABC Trading Co., Ltd.', 'หจก. เเพร่ 99'] },
  { winner: 'บุคคลธรรมดา-1', otherWinners: ['บริษัท ตัวอย่าง ค จำกัด'] },
] as const

/**
 * Document pages for every seventh project: words across lines, pages and files, a project without documents, and a
 * document without text.
 */
const DOCUMENTS: readonly (readonly (readonly string[])[])[] = [
  [['ประกาศ\nหลักประกัน\nการเสนอราคา ๕,๐๐๐ บาท', 'มาตรฐาน ISO ๙๐๐๑']],
  [],
  [['หลักประกันการเสนอราคา'], ['เครื่องอัด\nสำเนา', 'Iso 9001:2015']],
  [[]],
  [['หลักเกณฑ์ และประกันภัย']],
  [['เครื่องอัดสำเนา'], ['เครื่องอัดสำเนา']],
  [],
]

function population(count: number, firstId: number, random: () => number): Partial<ProjectInput>[] {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const money = () =>
    pick([null, 0, 1, 9_999_999, 10_000_000, 10_000_001, 50_000_050, 100_000_000, 250_000_000_00, 1_000_000_000_00_00])
  const day = () => {
    const offset = pick([null, -400, -31, -30, -8, -7, -1, 0, 1, 3, 4, 7, 8, 14, 30, 31, 90])
    return offset === null ? null : new Date(Date.parse(TODAY) + offset * 86_400_000).toISOString().slice(0, 10)
  }
  return Array.from({ length: count }, (_, i) => {
    const [dept, unit, deptProvince] = pick(DEPTS)
    return {
      id: String(firstId + i),
      name: `${pick(NAMES)} ${pick(['', 'กล้อง', 'CCTV', 'ระยะที่ 2'])}`.trim(),
      dept,
      unit,
      deptProvince,
      province: pick([null, 10, 11, 50, 30]),
      status: pick(['in_progress', 'in_progress', 'invitation_cancelled', 'project_cancelled', 'contract_created']),
      movement: pick(['draft_published', 'invited', 'winner_announced', 'ขั้นตอนอื่น']),
      movementOn: day(),
      criteria: pick(['price', 'price_and_other', 'no_data']),
      method: pick(['e_bidding', 'selective', 'วิธีใหม่']),
      methodType: pick(['buy', 'service', 'construct']),
      budget: money(),
      estimate: money(),
      winning: money(),
      ...pick(WINNERS),
      draftPublishedOn: day(),
      discussionEndsOn: day(),
      invitedOn: day(),
      submissionEndsOn: day(),
      winnerAnnouncedOn: day(),
      isSme: random() < 0.3,
      isArchived: random() < 0.3,
    }
  })
}

/**
 * Doubts of an import about a project. They exist whether or not the amount is known, because another source may have
 * stated it since.
 */
const DOUBTS: readonly DataIssue[] = [
  { kind: 'amount_is_id', field: 'งบประมาณ', value: '105536000000' },
  { kind: 'amount_unreadable', field: 'งบประมาณ (planning.budget)', value: 'รอ' },
  { kind: 'date_impossible', field: 'งบประมาณ', value: '31/02/2569' },
  { kind: 'amount_too_high', field: 'ราคาตกลงซื้อ/จ้าง', value: '12,000,000' },
]

type Row = Readonly<Record<string, string | number | null | readonly object[]>>

/**
 * Inserts all rows with one statement, because hundreds of single ones take longer than the queries under test. All
 * rows have the columns of the first.
 */
async function insertRows(db: Db, table: string, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  const columns = raw(Object.keys(rows[0]!).join(', '))
  await db.execute(sql`insert into ${raw(table)} (${columns})
    select ${columns} from jsonb_populate_recordset(null::${raw(table)}, ${JSON.stringify(rows)}::jsonb)`)
}

const STEPS = [
  'draft_published',
  'reference_price_published',
  'invited',
  'invitation_amended',
  'ขั้นตอนอื่น',
  'bids_closed',
]

type Population = { readonly organisationId: number; readonly userId: number; readonly loads: readonly number[] }

/**
 * Adds an organisation that matches everything, with `count` projects over two loads (New, Updated and unchanged all
 * occur), and a user with bookmarks, labels, hidden projects and documents. A user of another organisation has such
 * marks on the same projects, which must never show. Both organisations work on some projects: reordered stages, one of
 * them deleted, owners, notes (some deleted) and team labels. `match` is `matchDataLoadProjects`, passed in because
 * features must not import each other.
 */
export async function addPopulation(
  db: Db,
  match: (tx: Db, loadId: number) => Promise<unknown>,
  { count = 160, seed = 1, firstId = 67_000_000_000 } = {},
): Promise<Population> {
  const random = createSeededRandom(seed)
  const hides = createSeededRandom(seed + 1)
  const organisationId = await addOrganisation(db, { words: { include: ['<<ไม่มีคำนี้แน่นอน'] } })
  const userId = await addUser(db, organisationId)
  const strangers = await addOrganisation(db, { words: { include: ['<<ไม่มีคำนี้แน่นอน'] } })
  const stranger = await addUser(db, strangers)
  const publishedCount = Math.floor(count * 0.9)
  // Every other project of the second load has no winner yet, so that some of the New projects (D3) are undecided.
  const projects = population(count, firstId, random).map((project, i) => {
    if (i >= publishedCount && i % 2 === 0)
      return { ...project, status: 'in_progress', movement: 'invited', winnerAnnouncedOn: null }
    // A winner or a cancellation alone decides the bid state. A third of the projects have neither, so that every state
    // occurs.
    if (i % 3 !== 0) return project
    const movement = STEPS[(i / 3) % STEPS.length]!
    const isUndated = Math.floor(i / 18) % 2 === 0 && /draft|price/.test(movement)
    const dates = isUndated ? { invitedOn: null, submissionEndsOn: null } : {}
    return { ...project, ...dates, status: 'in_progress', movement, winnerAnnouncedOn: null }
  })
  const publish = async (inputs: readonly Partial<ProjectInput>[]) => {
    const load = await addLoad(db)
    await putProjects(db, load, inputs)
    await db.transaction((tx) => match(tx, load))
    return load
  }
  const first = await publish(projects.slice(0, publishedCount))
  const changed = projects
    .slice(0, Math.floor(count * 0.1))
    .map((project) => ({ ...project, status: 'contract_created' }))
  const second = await publish([...changed, ...projects.slice(publishedCount)])
  await insertRows(
    db,
    'project_changes',
    changed.map(({ id }) => ({
      project_id: id!,
      load_id: second,
      field: 'status',
      old_value: 'in_progress',
      new_value: 'contract_created',
    })),
  )
  await addContracts(
    db,
    projects.map(({ id }) => id!),
    createSeededRandom(seed + 3),
  )
  await insertRows(
    db,
    'project_doubts',
    projects.flatMap(({ id }, i) =>
      i % 3 === 0
        ? []
        : [{ project_id: id!, doubts: [{ ...DOUBTS[i % DOUBTS.length]!, source: 'test', load: first }] }],
    ),
  )
  const labels: Row[] = []
  const bookmarks: Row[] = []
  const hidden: Row[] = []
  const assignments: Row[] = []
  for (const user_id of [userId, stranger]) {
    for (const id of ['l1', 'l2', 'l3']) labels.push({ user_id, id, name: id, color: 'red' })
    for (const { id } of projects) {
      const project_id = id!
      if (random() < 0.3) bookmarks.push({ user_id, project_id })
      if (hides() < 0.15) hidden.push({ user_id, project_id })
      for (const label_id of ['l1', 'l2']) if (random() < 0.25) assignments.push({ user_id, project_id, label_id })
    }
  }
  await insertRows(db, 'labels', labels)
  await insertRows(db, 'bookmarks', bookmarks)
  await insertRows(db, 'hidden_projects', hidden)
  await insertRows(db, 'label_assignments', assignments)
  await putDocuments(
    db,
    organisationId,
    projects.flatMap(({ id }, i) => DOCUMENTS[i % 7]!.map((pages) => ({ projectId: id!, pages }))),
  )
  await putDocuments(
    db,
    strangers,
    projects.map(({ id }) => ({ projectId: id!, pages: ['ลับของคนอื่น หลักประกันการเสนอราคา'] })),
  )
  const works = createSeededRandom(seed + 2)
  for (const [organisation, user] of [
    [organisationId, userId],
    [strangers, stranger],
  ] as const)
    await addPursuits(db, { organisation, user, ids: projects.map(({ id }) => id!), random: works })
  return { organisationId, userId, loads: [first, second] }
}

const later = (day: string, days: number) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

/**
 * Adds zero to two contracts per project: in progress, over, ended early, with an end date before the signature, and
 * without an end date.
 */
async function addContracts(db: Db, ids: readonly string[], random: () => number): Promise<void> {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const contracts: Row[] = []
  for (const id of ids) {
    for (let number = 1; number < 3 && random() < 0.6; number += 1) {
      const left = pick([null, -400, -1, 0, 1, 2, 29, 30, 31, 60, 61, 90, 91, 180, 181, 400, 730, 731])
      const ends = left === null ? null : later(TODAY, left)
      const signed = pick([null, later(TODAY, -500), later(TODAY, -500), ends, later(ends ?? TODAY, 1)])
      const status = pick([null, 'ระหว่างดำเนินการ', 'ระหว่างดำเนินการ', 'สิ้นสุดสัญญา', 'ยกเลิกสัญญา'])
      contracts.push({ project_id: id, contract_no: `ส ${number}`, signed_on: signed, ends_on: ends, status })
    }
  }
  await insertRows(db, 'contracts', contracts)
}

/** Stages of the board, in an order other than the default. */
const STAGES = ['won', 'screened', 'pricing'].map((id, i) => ({ id, name: `ขั้น ${i + 1}`, kind: 'open' }))

type Work = { organisation: number; user: number; ids: readonly string[]; random: () => number }

async function addPursuits(db: Db, { organisation, user, ids, random }: Work): Promise<void> {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const at = '2026-11-20T03:00:00Z'
  await db.execute(sql`
    insert into pursuit_boards (organisation_id, version, stages) values (${organisation}::int, 1, ${JSON.stringify(STAGES)}::jsonb)`)
  const labels = createSeededRandom(organisation)
  const pursuits: Row[] = []
  const notes: Row[] = []
  const given: Row[] = []
  for (const project_id of ids) {
    const of = { organisation_id: organisation, project_id, created_at: at }
    for (const label_id of ['t1', 't2']) if (labels() < 0.2) given.push({ ...of, label_id })
    if (random() < 0.3) {
      const stage = pick(['won', 'screened', 'pricing', 'gone'])
      pursuits.push({ ...of, stage, stage_since: at, owner_id: pick([user, null]), changed_at: at })
    }
    for (let position = 0; random() < 0.25; position += 1)
      notes.push({
        ...of,
        id: `n${position}`,
        place: position,
        user_id: user,
        text: 'โน้ต',
        deleted_at: pick([null, null, at]),
      })
  }
  const made = ['t1', 't2', 't3'].map((id) => ({
    organisation_id: organisation,
    id,
    name: id,
    color: 'red',
    created_at: at,
  }))
  await insertRows(db, 'team_labels', made)
  await insertRows(db, 'team_label_assignments', given)
  await insertRows(db, 'pursuits', pursuits)
  await insertRows(db, 'pursuit_notes', notes)
}
