import sql from 'sql-template-tag'
import { readArguments } from '../../../test/server/worker-process.ts'
import { openDb } from './open-db.ts'

// Writes batches of `rows` rows for ever, one transaction each, and prints the number of each acknowledged batch.

const { dataDir, first, rows } = readArguments('dataDir', 'first', 'rows')
const db = await openDb({ dataDir })
await db.script('create table if not exists written (batch int, n int, word text, primary key (batch, n))')
for (let batch = Number(first); ; batch += 1) {
  await db.transaction(async (tx) => {
    for (let n = 0; n < Number(rows); n += 1)
      await tx.execute(sql`insert into written values (${batch}, ${n}, 'โครงการ')`)
  })
  console.log(batch)
  if (batch % 10 === 9) await db.script('checkpoint')
}
