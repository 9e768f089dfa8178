import { readFileSync } from 'node:fs'
import path from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import { normaliseSearchTextLines } from '#server/platform/text/to-line-search-forms.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { addLoad, addOrganisation } from '../../../test/world/report-world.ts'
import { putWonProjects } from '../../../test/world/won-projects.ts'

const MIGRATION = readFileSync(path.join(import.meta.dirname, 'migrations/0104_other_winners.sql'), 'utf8')
const party = (tin: string | null, name: string, amount: number) => ({ tin, name, amount, signedOn: '2026-01-01' })

onEachEngine('the migration of other winners', (makeDb) => {
  test('names them like a load does, and the report searches them', async () => {
    const db = await makeDb()
    const load = await addLoad(db)
    await addOrganisation(db, { words: { include: ['กล้อง'] } })
    const project = { name: 'ซื้อกล้อง', year: 2569 }
    await putWonProjects(db, load, [
      {
        ...project,
        id: '1',
        contracts: [
          party('0105546135262', 'บริษัท ก จำกัด', 300),
          party('0105546135262', 'บจก. ก', 100),
          party(null, 'บุคคลธรรมดา-1', 90),
          party(null, 'นาย สมมติ ไม่มีจริง', 80),
          party('3100900000000', 'นางสาว สมมุติ ไม่มีจริง', 75),
          party(null, 'หจก. เเพร่  ๙๙ ABC', 70),
          party('0105546135263', 'บริษัท ข จำกัด', 60),
        ],
      },
      { ...project, id: '2', contracts: [party('0105546135262', 'บริษัท ก จำกัด', 300)] },
    ])
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    await db.transaction(async (tx) => {
      await tx.script('alter table projects drop column other_winners')
      await tx.script(MIGRATION)
    })
    const rows = await db.query(sql`
      select p.other_winners, t.winner_search, t.winner_spaced
      from projects p join project_filters f on f.project_id = p.project_id join project_texts t on t.filters_id = f.id order by p.project_id`)
    const otherWinners = 'หจก. เเพร่ ๙๙ ABC\nบริษัท ข จำกัด'
    const stored = (names: string | null) => {
      const { compact, spaced } = normaliseSearchTextLines(['บริษัท ก จำกัด', names].filter(Boolean).join('\n'))
      return { other_winners: names, winner_search: compact, winner_spaced: spaced }
    }
    expect(rows).toEqual([stored(otherWinners), stored(null)])
  })
})
