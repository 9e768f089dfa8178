import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { tidyUpAfterLoad } from '#server/platform/engine/tidy-up.ts'
import { type NameWords, nameWords } from '#server/report/project/name-words.ts'
import { writeTraits } from '#server/report/project/write-traits.ts'
import { type BenchScope, ensureBenchData } from './report-data.ts'

/** Changing the data means changing this, so that a kept database is built again. */
const VERSION = 'detail bench 2'

/** The report's data, and beside its projects what a page of one shows: steps, changes, bidders, contracts, and what makes them comparable. */
export async function ensureDetailData(db: Db, projects: number, say: (text: string) => void): Promise<BenchScope[]> {
  const scopes = await ensureBenchData(db, projects, say)
  const [built] = await db.query(sql`select 1 from loads where origin = ${VERSION}`)
  if (built) return scopes
  const started = performance.now()
  const [measured] = scopes
  const ofMeasured = `join project_matches m on m.organisation_id = ${measured!.organisationId} and m.project_id = p.project_id`
  await db.script(`
    insert into announcements (project_id, movement, announced_on, load_id)
      select p.project_id, v.movement, p.movement_on - v.days, 1 from projects p ${ofMeasured}
      cross join (values ('draft_published', 90), ('invited', 60), ('winner_announced', 20), ('contract_created', 1)) v (movement, days)
      where p.movement_on is not null;
    insert into project_changes (project_id, load_id, field, old_value, new_value)
      select p.project_id, 1, f.field, 'a', 'b' from projects p ${ofMeasured}
      cross join unnest(array['movement', 'status', 'winner_name', 'remark', 'attachments']) f (field);
    insert into bidders (project_id, position, tin, name, price_satang, is_winner)
      select p.project_id, n, null, 'บริษัท ผู้เสนอราคารายที่ ' || n || ' จำกัด', p.winner_satang + n * 100000, n = 1 from projects p ${ofMeasured} cross join generate_series(1, 5) n
      where p.winner_satang is not null;
    insert into contracts (project_id, contract_no, winner_name, amount_satang, signed_on)
      select p.project_id, '1/2569', p.winner_name, p.winner_satang, p.movement_on from projects p ${ofMeasured}
      where p.winner_satang is not null;
    drop index project_traits_by_token;`)
  say(`${db.engine}: lists after ${((performance.now() - started) / 1000).toFixed(0)} s`)
  let told = 0
  const tell = (done: number) => {
    if (done < told) return
    told += 100_000
    say(`${db.engine}: ${done} comparable after ${((performance.now() - started) / 1000).toFixed(0)} s`)
  }
  await writeTraits(db, tell, knownWords())
  await db.script('create index project_traits_by_token on project_traits using gin (tokens)')
  await tidyUpAfterLoad(db)
  await db.script('vacuum analyze')
  await db.execute(sql`insert into loads (source, origin, state) values ('bench', ${VERSION}, 'failed')`)
  return scopes
}

/** The made-up names are 63,504 different ones: each is cut into words once. */
function knownWords(): NameWords {
  const words = nameWords()
  const known = new Map<string, number[]>()
  return {
    weightOf: words.weightOf,
    textsOf: words.textsOf,
    tellsThing: words.tellsThing,
    wordsOf(name) {
      const cut = known.get(name) ?? words.wordsOf(name)
      known.set(name, cut)
      return cut
    },
  }
}

/** Ids of the organisation's projects, the same ones on every run. */
export async function someMatches(db: Db, organisationId: number, count: number): Promise<string[]> {
  const rows = await db.query<{ project_id: string }>(sql`
    select m.project_id from project_matches m where m.organisation_id = ${organisationId}::int
    order by hashint8(m.project_id::bigint), m.project_id limit ${count}::int`)
  return rows.map(({ project_id }) => project_id)
}
