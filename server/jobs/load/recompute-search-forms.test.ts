import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import { normaliseThai, toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { projectMatchJob } from '#server/jobs/match-job.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import { STALE_COMPACT_TEXT_PATTERN, STALE_NORMALISED_TEXT_PATTERN } from '#server/matching/search-form/queries.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { jobsOf, runDue } from '../../../test/jobs.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { addLoad, addOrganisation, putProjects, setWords } from '../../../test/world/report-world.ts'
import { recomputeNormalisedSearchTexts } from './recompute-search-forms.ts'

const AT = new Date('2026-11-21T03:00:00Z')
const NAMES = [
  'ซื้อเหล็กตัวซี 6×4 ม.',
  'จ้างซ่อมถนน กม.0+000–กม.1+500',
  'จัดงาน “Let’s Test”',
  'ซื้อแป๊บน้ำ ๑½ นิ้ว',
  'ซื้อเครื่องปรับอากาศ 30,000 บีทียู',
  'ซื้อท่อ มอก. 427 - 2562',
  "ซื้อหม้อแปลง 22'000 โวลต์",
  'ซื้อน้ำยา 12٬500 ลิตร',
  'เลข 420-51-104,420-51-105',
  'ซื้อกล้องวงจรปิด',
]
const before = (name: string) =>
  name
    .normalize('NFKC')
    .replace(/[๐-๙]/g, (digit) => String(digit.charCodeAt(0) - 0x0e50))
    .toLowerCase()
const compactBefore = (spaced: string) => spaced.replace(/ (?=[ก-๛])|(?<=[ก-๛]) /g, '')

onEachEngineInTurn('search texts of the previous version', (makeDb) => {
  let db: OpenDb
  let organisation: number
  beforeAll(async () => {
    db = await makeDb()
    organisation = await addOrganisation(db, { words: { include: ['ซื้อ', 'จ้าง', 'จัดงาน', 'เลข'] } })
    const load = await addLoad(db)
    await putProjects(
      db,
      load,
      NAMES.map((name, at) => ({ id: `6700000000${at}`, name, winner: at === 0 ? 'ร้าน “ก”' : null })),
    )
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    for (const [at, name] of NAMES.entries()) {
      const [id, spaced] = [`6700000000${at}`, before(name)]
      await db.execute(
        sql`update projects set name_spaced = ${spaced}, name_search = ${compactBefore(spaced)} where project_id = ${id}`,
      )
      await db.execute(sql`
        update project_texts x set name_search = ${compactBefore(spaced)}, winner_spaced = case when winner_spaced is null then null else 'ร้าน “ก”' end
        from project_filters f where f.id = x.filters_id and f.project_id = ${id}`)
    }
    await setWords(db, organisation, { include: ['ซื้อ', 'จ้าง', 'จัดงาน', 'เลข', '6x4', 'กล้อง–จอ'] })
    await db.execute(sql`update keywords set word_key = 'กล้อง–จอ' where word = 'กล้อง–จอ'`)
  })

  const texts = async () =>
    await db.query<{ name: string; spaced: string; compact: string; matched: string; winner: string | null }>(sql`
      select p.name, p.name_spaced as spaced, p.name_search as compact, x.name_search as matched, x.winner_spaced as winner
      from projects p join project_filters f using (project_id) join project_texts x on x.filters_id = f.id order by p.project_id`)

  test('are renewed once, and their projects matched again', async () => {
    await recomputeNormalisedSearchTexts(db, AT)
    for (const { name, spaced, compact, matched } of await texts())
      expect([spaced, compact, matched]).toEqual([
        normaliseThai(name),
        toNormalisedSearchText(name),
        toNormalisedSearchText(name),
      ])
    expect((await texts())[0]!.winner).toBe('ร้าน "ก"')
    const keys = await db.query<{ key: string }>(sql`select word_key as key from keywords where word = 'กล้อง–จอ'`)
    expect(keys).toEqual([{ key: 'กล้อง-จอ' }])
    const jobs = await db.query<{ payload: unknown }>(sql`select payload from jobs where kind = 'match'`)
    expect(jobs).toEqual([
      {
        payload: expect.objectContaining({
          projects: NAMES.slice(0, 8).map((_, at) => `6700000000${at}`),
          expressions: ['กล้อง–จอ'],
        }),
      },
    ])
    await runDue(projectMatchJob, { db, now: AT })

    await recomputeNormalisedSearchTexts(db, AT)
    expect((await jobsOf(db, 'match')).filter(({ state }) => state !== 'done')).toEqual([])
  })

  test('are found through their index, whose condition covers every replaced character', async () => {
    const signs = [...'«»˝″‶“”„‟❝❞〝〞〟＂´ʹʻʼʽ‘’‚‛′‵‹›❛❜＇˗‐‑‒–—―⁃−➖﹘﹣－⁄∕⧸˜∼〜～×✕✖⨉⨯∅⌀ᴓº˚،٬']
    expect(signs.filter((sign) => normaliseThai(`ก${sign}ข`) === `ก${sign}ข`)).toEqual([])
    const rows = await db.query<{ stale: boolean }>(
      sql`select t.form ~ ${STALE_NORMALISED_TEXT_PATTERN} as stale from unnest(${signs.map((sign) => `ก${sign}ข`.normalize('NFKC'))}::text[]) as t (form)`,
    )
    // The previous version also applied NFKC, which changed some of these characters.
    const unseen = signs.filter((_, at) => !rows[at]!.stale)
    expect(unseen.filter((sign) => sign.normalize('NFKC') === sign)).toEqual([])
    const definitions = await db.query<{ text: string }>(
      sql`select indexdef as text from pg_indexes where indexname = 'projects_stale_search_texts'`,
    )
    expect(definitions[0]!.text).toContain(STALE_NORMALISED_TEXT_PATTERN.replaceAll("'", "''"))
    expect(definitions[0]!.text).toContain(`'${STALE_COMPACT_TEXT_PATTERN}'`)
  })
})
