import sql from 'sql-template-tag'
import { PROVINCES } from '#contract/thai/province.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { vacuumAfterDataLoad } from '#server/platform/engine/vacuum-after-data-load.ts'

/** Bump when the data changes, so that a reused database is rebuilt. */
const VERSION = 'report bench 3'
/** Current day of the bench; all dates of the data are around this day. */
export const BENCH_TODAY = '2026-11-21'

export type BenchScope = { readonly organisationId: number; readonly userId: number; readonly matches: number }
/**
 * Match counts of background organisations, which are not measured. Their rows scatter the measured rows over the
 * table, as in production.
 */
const OTHERS = Array.from({ length: 16 }, () => 12_000)

const NO_LIMIT = { timeoutMs: 0 }

/** Words for generated titles, with the shape and length (about 140 characters) of real ones. */
const ACTIONS = ['ประกวดราคาซื้อ', 'ประกวดราคาจ้างก่อสร้าง', 'จ้างเหมาบริการ', 'ซื้อ', 'เช่า', 'จ้างปรับปรุง', 'จ้างซ่อมแซม']
const THINGS = [
  'กล้องโทรทัศน์วงจรปิดชนิดเครือข่าย',
  'เครื่องคอมพิวเตอร์สำหรับงานประมวลผล',
  'ถนนคอนกรีตเสริมเหล็กสายหลัก',
  'ครุภัณฑ์ทางการแพทย์',
  'ระบบ IT และอุปกรณ์เครือข่าย',
  'รถยนต์บรรทุกดีเซล',
  'อาคารเรียน 4 ชั้น',
  'ยาและเวชภัณฑ์ที่ไม่ใช่ยา',
  'ระบบผลิตน้ำประปา',
  'เครื่องปรับอากาศแบบแยกส่วน',
  'วัสดุสำนักงาน',
  'ระบบโซลาร์เซลล์',
  'ลิฟต์โดยสาร',
  'เครื่องสำรองไฟฟ้า UPS',
  'โปรแกรมระบบฐานข้อมูล',
  'รั้วและประตู',
  'ท่อระบายน้ำ',
  'ระบบ CCTV',
]
const PLACES = [
  'ภายในเขตเทศบาล',
  'ณ โรงพยาบาลศูนย์',
  'สำหรับสำนักงานใหญ่',
  'บริเวณชุมชนริมคลอง',
  'ของศูนย์พัฒนาเด็กเล็ก',
  'หมู่ที่ 3 ตำบลตัวอย่าง',
  'พร้อมติดตั้งและทดสอบระบบ',
]
const ENDINGS = [
  'ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding) ประจำปีงบประมาณ 2570',
  'โดยวิธีเฉพาะเจาะจง',
  'โดยวิธีคัดเลือก ตามรายละเอียดแนบท้ายขอบเขตของงาน',
  'จำนวน 1 งาน ตามโครงการเพิ่มประสิทธิภาพการให้บริการประชาชน',
]

/**
 * SQL for a deterministic number in [0, 1) for row `g` and salt `n`: the same rows on both engines and in every build.
 */
const chance = (g: string, n: number) => `((hashint8(${g} * 31 + ${n})::bigint + 2147483648) / 4294967296.0)`
const pick = (values: readonly string[], g: string, n: number) =>
  `(array[${values.map((value) => `'${value}'`).join(',')}])[1 + floor(${chance(g, n)} * ${values.length})::int]`
const day = (g: string, n: number, back: number, ahead: number, unknown: number) =>
  `case when ${chance(g, n)} < ${unknown} then null else date '${BENCH_TODAY}' + ${ahead} - floor(${chance(g, n + 500)} * ${chance(g, n + 900)} * ${back})::int end`
const money = (g: string, n: number, unknown: number) =>
  `case when ${chance(g, n)} < ${unknown} then null else (10 ^ (6.5 + 4 * ${chance(g, n + 300)}))::bigint end`

async function addProjects(db: Db, from: number, to: number): Promise<void> {
  await db.script(`
    insert into projects (project_id, name, name_search, name_spaced, department_id, project_province, status, movement, movement_on, criteria, method, method_type,
      budget_satang, estimate_satang, winner_satang, winner_name, winner_count, draft_published_on, draft_discussion_ends_on, bidding_invited_on,
      submission_ends_on, winner_announced_on, is_sme, is_archived, source, first_load, changed_load, written_load)
    select (67000000000 + g * 7)::text, t.name, regexp_replace(lower(t.name), '([ก-๙]) | (?=[ก-๙])', '\\1', 'g'), lower(t.name),
      1 + floor(${chance('g', 1)} * 3000)::int, (array[${PROVINCES.map((province) => province.code).join(',')}])[1 + floor(${chance('g', 2)} * ${chance('g', 3)} * 77)::int],
      ${pick(['in_progress', 'in_progress', 'in_progress', 'contract_created', 'contract_created', 'contract_created', 'invitation_cancelled', 'project_cancelled'], 'g', 4)},
      ${pick(['draft_published', 'draft_revised', 'reference_price_published', 'invited', 'invited', 'bids_closed', 'winner_announced', 'contract_created', 'contract_created', 'project_cancelled'], 'g', 5)},
      ${day('g', 6, 1100, 0, 0)}, ${pick(['price', 'price', 'price', 'price_and_other', 'no_data'], 'g', 7)},
      ${pick(['e_bidding', 'e_bidding', 'e_bidding', 'selective', 'specific', 'specific', 'e_market', 'consultant_open'], 'g', 8)},
      ${pick(['buy', 'buy', 'construct', 'construct', 'service', 'lease', 'consult'], 'g', 9)},
      ${money('g', 10, 0.02)}, ${money('g', 11, 0.2)}, ${money('g', 12, 0.5)}, case when ${chance('g', 12)} < 0.5 then null else 'บริษัท ผู้รับจ้างรายที่ ' || floor(${chance('g', 13)} * 2000)::int || ' จำกัด' end, 1,
      ${day('g', 14, 1100, 0, 0.3)}, ${day('g', 15, 1100, 14, 0.3)}, ${day('g', 16, 1100, 0, 0.3)}, ${day('g', 17, 1100, 30, 0.3)}, ${day('g', 18, 1100, 0, 0.5)},
      ${chance('g', 19)} < 0.2, ${chance('g', 20)} < 0.4, 'bench',
      case when ${chance('g', 21)} < 0.005 then 2 else 1 end, case when ${chance('g', 21)} < 0.01 then 2 else 1 end, case when ${chance('g', 21)} < 0.01 then 2 else 1 end
    from generate_series(${from}, ${to}) g
    cross join lateral (select ${pick(ACTIONS, 'g', 31)} || ${pick(THINGS, 'g', 32)} || ' ' || ${pick(THINGS, 'g', 33)} || ${pick(PLACES, 'g', 34)} || ' ' || ${pick(ENDINGS, 'g', 35)} as name) t`)
}

async function addFilters(db: Db, first: string, last: string): Promise<void> {
  await db.execute(
    sql`
      insert into project_filters (project_id, written_load, department_id, is_archived, is_sme, project_province, budget_satang, estimate_satang, winner_satang,
        movement_on, draft_published_on, draft_discussion_ends_on, bidding_invited_on, submission_ends_on, winner_announced_on, status, movement, criteria, method,
        method_type, dept_province)
      select p.project_id, p.written_load, p.department_id, p.is_archived, p.is_sme, p.project_province, p.budget_satang, p.estimate_satang, p.winner_satang,
        p.movement_on, p.draft_published_on, p.draft_discussion_ends_on, p.bidding_invited_on, p.submission_ends_on, p.winner_announced_on, v1.id, v2.id, v3.id, v4.id,
        v5.id, d.province
      from projects p
      join departments d on d.id = p.department_id
      join match_values v1 on v1.kind = 'status' and v1.value = p.status
      join match_values v2 on v2.kind = 'movement' and v2.value = p.movement
      join match_values v3 on v3.kind = 'criteria' and v3.value = p.criteria
      join match_values v4 on v4.kind = 'method' and v4.value = p.method
      join match_values v5 on v5.kind = 'method_type' and v5.value = p.method_type
      where p.project_id between ${first} and ${last} order by p.project_id`,
    NO_LIMIT,
  )
  await db.execute(
    sql`
      insert into project_texts (filters_id, name_search, winner_search, winner_spaced)
      select f.id, p.name_search, replace(p.winner_name, ' ', ''), p.winner_name
      from projects p join project_filters f on f.project_id = p.project_id where p.project_id between ${first} and ${last} order by f.id`,
    NO_LIMIT,
  )
}

/**
 * Adds the match rows of the projects `from`..`to` for all organisations, in project order, so that organisations are
 * interleaved in the table.
 */
async function addMatches(
  db: Db,
  from: number,
  to: number,
  projects: number,
  organisations: readonly number[],
): Promise<void> {
  const first = String(67_000_000_000 + from * 7)
  const last = String(67_000_000_000 + to * 7)
  await addFilters(db, first, last)
  await db.execute(
    sql`
      insert into project_matches (organisation_id, filters_id, words_id, first_load, changed_load, project_id)
      select o.id, f.id, w.id, p.first_load, case when p.changed_load = 2 then 2 end, p.project_id
      from projects p
      join project_filters f on f.project_id = p.project_id
      join unnest(${[...organisations]}::int[]) with ordinality as o (matches, id)
        on (hashint8(p.project_id::bigint * 1009 + o.id * 7919)::bigint + 2147483648) / 4294967296.0 < o.matches::float8 / ${projects}::float8
      join match_words w on w.organisation_id = o.id
      where p.project_id between ${first} and ${last}
      order by p.project_id`,
    NO_LIMIT,
  )
}

async function addRelatedRows(db: Db): Promise<void> {
  await db.script(`
    insert into project_changes (project_id, load_id, field, old_value, new_value)
      select project_id, 2, 'submission_end_date', '2026-11-20', '2026-11-27' from projects where changed_load = 2 and first_load = 1;
    insert into attachments (project_id, url, name, step, published_on, first_load)
      select p.project_id, 'https://example.org/' || p.project_id || '/' || n, 'เอกสารประกวดราคา.pdf', 'invited', p.movement_on, 1
      from projects p cross join generate_series(1, 2) n where hashint8(p.project_id::bigint) % 5 = 0;
    insert into labels (user_id, id, name, color) select u.id, 'l' || n, 'ป้าย ' || n, 'red' from users u cross join generate_series(1, 5) n;
    insert into bookmarks (user_id, project_id)
      select u.id, m.project_id from users u join project_matches m on m.organisation_id = u.organisation_id where hashint8(m.project_id::bigint) % 97 = 0;
    insert into label_assignments (user_id, project_id, label_id)
      select u.id, m.project_id, 'l' || (1 + abs(hashint8(m.project_id::bigint + 1)) % 5)
      from users u join project_matches m on m.organisation_id = u.organisation_id where hashint8(m.project_id::bigint) % 61 = 0;
    insert into match_exclusions (organisation_id, project_id, list, word, load_id)
      select 1, project_id, 'exclude', 'เช่า', changed_load from projects where hashint8(project_id::bigint) % 211 = 0;`)
}

/**
 * Fills a migrated database with `projects` projects, an organisation per match count, and background organisations,
 * unless the data already exists. Returns the measured organisations.
 */
export async function ensureBenchData(
  db: Db,
  projects: number,
  say: (text: string) => void,
  matches: readonly number[] = [20_000, 200_000],
): Promise<BenchScope[]> {
  const organisations = [...matches, ...OTHERS]
  const origin = `${VERSION}, ${projects} projects, ${matches.join(' ')} matches`
  const [built] = await db.query(sql`select 1 from loads where origin = ${origin}`)
  if (!built) {
    const started = performance.now()
    await db.script(`
      insert into loads (id, source, origin, state, published_at) overriding system value values (1, 'bench', 'first', 'published', now() - interval '1 day'), (2, 'bench', 'second', 'published', now());
      select setval(pg_get_serial_sequence('loads', 'id'), 10);
      insert into departments (name, sub_name, province) select 'กรมตัวอย่าง ' || g / 10, 'สำนักงาน ที่ ' || g, (array[${PROVINCES.map((province) => province.code).join(',')}])[1 + g % 77] from generate_series(1, 3000) g;
      insert into organisations (code, name, package, customer_config, areas_with_provinces)
        select 'bench-' || g, 'bench', 'bench', '{"max_project_budget": "0"}', '{}' from generate_series(1, ${organisations.length}) g;
      insert into match_words (organisation_id, matched_by, matched_words) select id, '{name}', '{กล้อง}' from organisations;
      insert into department_texts (department_id, dept_search, dept_spaced) select id, replace(name || sub_name, ' ', ''), name || ' ' || sub_name from departments;
      insert into users (organisation_id, email, email_key, password_hash) select id, code, code, '-' from organisations where id <= ${matches.length} order by id;`)
    const step = 50_000
    for (let from = 1; from <= projects; from += step) {
      const to = Math.min(from + step - 1, projects)
      await addProjects(db, from, to)
      if (from === 1) {
        await db.script(`insert into match_values (kind, value)
          select distinct v.kind, v.value from projects p cross join lateral (values ('status', p.status), ('movement', p.movement), ('criteria', p.criteria), ('method', p.method), ('method_type', p.method_type)) v (kind, value)`)
      }
      await addMatches(db, from, to, projects, organisations)
      say(`${db.engine}: ${to} projects after ${((performance.now() - started) / 1000).toFixed(0)} s`)
    }
    await addRelatedRows(db)
    await vacuumAfterDataLoad(db)
    await db.script('vacuum analyze')
    await db.execute(sql`insert into loads (source, origin, state) values ('bench', ${origin}, 'failed')`)
  }
  return db.query<BenchScope>(sql`
    select u.organisation_id as "organisationId", u.id as "userId", (select count(*) from project_matches m where m.organisation_id = u.organisation_id) as matches
    from users u order by u.id`)
}
